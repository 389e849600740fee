/** What a folder takes on its disk. Its files are another's: links are not followed, and a walk that never ends is cut. */
import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderSize {
  bytes: number;
  files: number;
}

/** More than this many entries are not walked: they are too many anyway. */
export const mostFiles = 50_000;
const blockBytes = 512;

const tmpfs = 0x01021994;

/** Whether its files take memory, not a disk. */
export const liesInMemory = async (folder: string): Promise<boolean> => (await statfs(folder)).type === tmpfs;

export async function folderSize(folder: string): Promise<FolderSize> {
  const size = { bytes: 0, files: 0 };
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && size.files <= mostFiles; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    size.files += entries.length;
    if (size.files > mostFiles) break;
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else size.bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * blockBytes;
    }
  }
  return size;
}
