/** Removes a folder and counts what it held, in one walk; files that vanish meanwhile are no matter. */
import { lstat, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';

export async function removeTree(folder: string): Promise<number> {
  let bytes = 0;
  const walk = async (dir: string): Promise<void> => {
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    await Promise.all(
      entries.map(async (entry) => {
        const path = join(dir, entry.name);
        if (entry.isDirectory()) return walk(path);
        const stat = await lstat(path).catch(() => undefined);
        bytes += stat?.size ?? 0;
        await unlink(path).catch(() => undefined);
      }),
    );
  };
  await walk(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return bytes;
}
