/** Where bytes lie, by the id of their record. Here it is a folder; any other storage must keep the same promises. */
import type { Readable } from 'node:stream';

export interface Blobs {
  /**
   * When it returns, all bytes are there for good; until then none can be opened. `remove` clears what is left when it
   * fails or is interrupted. `expectedBytes` lets a storage without room refuse before anything is sent.
   */
  put(id: string, chunks: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<void>;
  /** All bytes, or those of the range, both ends included. Undefined when there are none under this id. */
  open(id: string, range?: ByteRange): Promise<Readable | undefined>;
  /** A file on this machine with the bytes, for programs that want a path. */
  path(id: string): Promise<string>;
  /** Does nothing when there is nothing. */
  remove(id: string): Promise<void>;
}

export interface ByteRange {
  start: number;
  end: number;
}
