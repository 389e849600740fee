/**
 * Where bytes lie, by the id of their record: a folder on this machine, a folder that all nodes share, or a bucket. All
 * keep the same promises, and the same layout (`9k/file_…`), so that an operator moves from one to another by copying.
 */
import type { Readable } from 'node:stream';

export interface Blobs {
  /**
   * When it returns, all bytes are there for good; until then none can be opened. When it fails, nothing of them is left;
   * what a kill leaves is removed by `clear`. `expectedBytes` lets a storage without room refuse before anything is sent.
   */
  put(id: string, chunks: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<void>;
  /** All bytes, or those of the range, both ends included. Undefined when there are none under this id. */
  open(id: string, range?: ByteRange): Promise<Readable | undefined>;
  /** A file on this machine with the bytes, for programs that want a path. Undefined when there are none under this id. */
  borrow(id: string): Promise<BorrowedFile | undefined>;
  /** Does nothing when there is nothing. */
  remove(id: string): Promise<void>;
  /** The same, for bytes whose `put` was cut off by a kill of the service: also of what is unfinished. */
  clear(id: string): Promise<void>;
  /**
   * Changes bytes as a whole: `change` is given a file with them, and says whether it changed that. False when it did not, or
   * when there are none under this id any more.
   */
  rewrite(id: string, change: (path: string) => Promise<boolean>): Promise<boolean>;
  /** The ids of all bytes there that begin so. */
  ids(prefix: string): AsyncIterable<string>;
}

/** It may be read until it is given back, and is never changed: it may be the one place where the bytes are. */
export interface BorrowedFile extends AsyncDisposable {
  readonly path: string;
}

export interface ByteRange {
  start: number;
  end: number;
}

/** The last two characters of an id are random, so that no folder grows large. */
export const placeOf = (id: string): string => `${id.slice(-2)}/${id}`;
