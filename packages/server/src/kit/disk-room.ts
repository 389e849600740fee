/** Bytes that may still be written to the disk that has this folder. */
import { statfs } from 'node:fs/promises';

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
