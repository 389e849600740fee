/**
 * Copies a folder that only the service may write, so that the copies share their bytes on the disk where they can:
 *
 *   a file system with clones (btrfs, XFS)   every file, until one of them writes to it
 *   any other                                files that Chromium only ever reads, as hard links; the rest is copied
 *
 * A linked file is one for all copies, so a Chromium must not be able to write it: it belongs to the service and may only be
 * read. Where Chromium runs as the user of the service it could change that, so there nothing is linked.
 *
 * A profile has some dozens of small files; each step takes microseconds and is done at once, without a thread of the pool.
 */
import { chmodSync, chownSync, constants, copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';

/** Tables of LevelDB and the blobs of IndexedDB are written once, under a name of their own. Logs and SQLite are not. */
const onlyRead = (folder: string, name: string): boolean =>
  name.endsWith('.ldb') || /\.indexeddb\.blob(\/|$)/.test(folder);

const readByAll = 0o444;
const stepsAtOnce = 64;

/** Makes the files that copies may share ready for it. The folder is the service's own. */
export function prepareToShare(from: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && onlyRead(entry.parentPath, entry.name))
      chmodSync(join(entry.parentPath, entry.name), readByAll);
}

/** Into an empty folder. `owner` is the user of Chromium where it is another than the service's. */
export async function shareTree(
  from: string,
  to: string,
  owner: { uid: number; gid: number } | undefined,
): Promise<void> {
  let steps = 0;
  const walk = async (folder: string, copy: string): Promise<void> => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (++steps % stepsAtOnce === 0) await othersTurn();
      const [source, target] = [join(folder, entry.name), join(copy, entry.name)];
      if (entry.isDirectory()) {
        mkdirSync(target, { mode: 0o700 });
        await walk(source, target);
        if (owner) chownSync(target, owner.uid, owner.gid);
      } else if (!(owner && onlyRead(folder, entry.name) && isLinked(source, target))) {
        copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        if (owner) chownSync(target, owner.uid, owner.gid);
      }
    }
  };
  await walk(from, to);
}

/** Not where the two lie on different disks. */
function isLinked(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
