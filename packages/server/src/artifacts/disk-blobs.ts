/**
 * Bytes as files, which appear whole or not at all:
 *
 *   blobs/incoming/file_…  ──written, synced, renamed──>  blobs/9k/file_…
 *
 * The folders are the last two characters of the id, which are random, so that none of them grows large.
 * A disk is never filled completely: the database and the browsers need some room to go on.
 */
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError } from '../errors.ts';
import { freeBytes } from '../kit/disk-room.ts';
import type { Blobs } from './blobs.ts';

export interface DiskBlobsOptions {
  folder: string;
  /** Room that is left alone. */
  reserveBytes: number;
}

const checkEveryBytes = 16 * 1024 ** 2;

export async function openDiskBlobs({ folder, reserveBytes }: DiskBlobsOptions): Promise<Blobs> {
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const placeOf = (id: string): string => join(folder, id.slice(-2), id);
  const partOf = (id: string): string => join(incoming, id);

  const refuseWithoutRoom = async (bytes: number): Promise<void> => {
    if ((await freeBytes(folder)) < reserveBytes + bytes) throw storageFull();
  };

  async function* whileThereIsRoom(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let unchecked = 0;
    for await (const chunk of chunks) {
      unchecked += chunk.length;
      if (unchecked >= checkEveryBytes) {
        await refuseWithoutRoom(chunk.length);
        unchecked = 0;
      }
      yield chunk;
    }
  }

  return {
    async put(id, chunks, expectedBytes) {
      const place = placeOf(id);
      try {
        await refuseWithoutRoom(expectedBytes);
        await writeDurably(partOf(id), whileThereIsRoom(chunks));
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        await rename(partOf(id), place);
        await syncFolder(dirname(place));
      } catch (error) {
        throw isFull(error) ? storageFull(error) : error;
      }
    },

    async open(id, range) {
      let handle: FileHandle;
      try {
        handle = await open(placeOf(id));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      return handle.createReadStream({ ...range });
    },

    path: async (id) => placeOf(id),

    async remove(id) {
      await rm(partOf(id), { force: true });
      await rm(placeOf(id), { force: true });
    },
  };
}

async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(chunks);
  await file.sync();
}

/** A rename is as durable as the folder it happened in. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

const storageFull = (cause?: unknown): ApiError =>
  new ApiError(
    'STORAGE_FULL',
    'The disk of the service has no room for these bytes; nothing was kept. Delete files that are no longer needed, or ask the operator for a larger disk.',
    { cause },
  );
