/**
 * Bytes as files, which appear whole or not at all:
 *
 *   blobs/incoming/file_…  ──written, synced, renamed──>  blobs/9k/file_…
 *
 * The folder may lie on a file system that several nodes share: every id is written by one of them.
 */
import { access, type FileHandle, glob, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Blobs, placeOf } from './blobs.ts';
import { asStorageFull, LocalRoom } from './local-room.ts';

export interface DiskBlobsOptions {
  folder: string;
  /** Room that is left alone. */
  reserveBytes: number;
}

export async function openDiskBlobs({ folder, reserveBytes }: DiskBlobsOptions): Promise<Blobs> {
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const room = new LocalRoom(folder, reserveBytes);
  const pathOf = (id: string): string => join(folder, placeOf(id));
  const partOf = (id: string): string => join(incoming, id);
  const remove = (id: string): Promise<void> => rm(pathOf(id), { force: true });

  return {
    async put(id, chunks, expectedBytes) {
      const path = pathOf(id);
      try {
        await room.refuseWithout(expectedBytes);
        // a service that was killed may have left some of an artifact that this one finishes
        await rm(partOf(id), { force: true });
        await writeDurably(partOf(id), room.watched(chunks));
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(partOf(id), path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(partOf(id), { force: true });
        throw asStorageFull(error);
      }
    },

    async open(id, range) {
      let handle: FileHandle;
      try {
        handle = await open(pathOf(id));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
      return handle.createReadStream({ ...range });
    },

    async borrow(id) {
      const path = pathOf(id);
      try {
        await access(path);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
      return { path, [Symbol.asyncDispose]: async () => undefined };
    },

    remove,

    async clear(id) {
      await rm(partOf(id), { force: true });
      await remove(id);
    },

    async rewrite(id, change) {
      try {
        return await change(pathOf(id));
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },

    async *ids(prefix) {
      for await (const path of glob(join(folder, '??', `${prefix}*`))) yield basename(path);
    },
  };
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

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
