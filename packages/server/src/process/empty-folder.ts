/** A folder of the service's own that begins empty and goes with it. */
import { mkdir } from 'node:fs/promises';
import { removeTree } from './boxed-tree.ts';

export async function emptyFolder(path: string, mode: number): Promise<AsyncDisposable & { path: string }> {
  await removeTree(path);
  // Fails where another user has made one meanwhile.
  await mkdir(path, { mode });
  return {
    path,
    async [Symbol.asyncDispose]() {
      await removeTree(path);
    },
  };
}
