/**
 * Runners are started from what lies in the cache folder, so no other user of the machine may have a say in it: neither
 * in the folder itself, nor by putting another one in its place. A folder above it may be writable for others only
 * where that does not let them rename what is in it (the sticky bit of a temporary folder).
 */
import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isOursAlone } from './contents.ts';

const sticky = 0o1000;
const writableByOthers = 0o022;
const enterableByOthers = 0o001;

/**
 * Gives the folder's real path, and makes it where it is missing.
 * @param forAnotherUser the runners' user is not the service's, and has to get in
 */
export async function openTrustedFolder(path: string, forAnotherUser: boolean): Promise<string> {
  const mode = forAnotherUser ? 0o755 : 0o700;
  await mkdir(dirname(path), { recursive: true, mode });
  // From here on without links, which could be changed after they were looked at.
  const folder = join(await realpath(dirname(path)), basename(path));
  const made = await mkdir(folder, { mode }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  const found = await lstat(folder);
  if (!found.isDirectory() || !isOursAlone(found))
    throw new Error(`${folder} is no folder of the service's user that only this user can write to`);
  // The mode given to mkdir is cut down by the umask.
  if (made) await chmod(folder, mode);
  await checkAbove(folder, forAnotherUser);
  return folder;
}

async function checkAbove(folder: string, forAnotherUser: boolean): Promise<void> {
  const trusted = [0, process.getuid?.()];
  for (let here = folder; ; here = dirname(here)) {
    const { uid, mode } = await stat(here);
    if (!trusted.includes(uid) || ((mode & writableByOthers) !== 0 && (mode & sticky) === 0))
      throw new Error(`other users could replace ${folder}, because they can write to ${here}`);
    if (forAnotherUser && (mode & enterableByOthers) === 0)
      throw new Error(`the user that runners run as cannot enter ${here}`);
    if (here === dirname(here)) return;
  }
}
