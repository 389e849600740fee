/** A disk is never filled completely: the database and the browsers need some room to go on. */
import { ApiError } from '../errors.ts';
import { freeBytes } from '../kit/disk-room.ts';

const checkEveryBytes = 16 * 1024 ** 2;

export class LocalRoom {
  readonly #folder: string;
  readonly #reserveBytes: number;

  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  /** Throws when the disk has no room for as many, beside its reserve. */
  async refuseWithout(bytes: number): Promise<void> {
    if ((await freeBytes(this.#folder)) < this.#reserveBytes + bytes) throw storageFull();
  }

  /** The same chunks, for as long as there is room. */
  async *watched(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let unchecked = 0;
    for await (const chunk of chunks) {
      unchecked += chunk.length;
      if (unchecked >= checkEveryBytes) {
        await this.refuseWithout(chunk.length);
        unchecked = 0;
      }
      yield chunk;
    }
  }
}

/** A failure of writing as callers see it. */
export const asStorageFull = (error: unknown): unknown =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '') ? storageFull(error) : error;

const storageFull = (cause?: unknown): ApiError =>
  new ApiError(
    'STORAGE_FULL',
    'The disk of the service has no room for these bytes; nothing was kept. Delete files that are no longer needed, or ask the operator for a larger disk.',
    { cause },
  );
