/**
 * Profile folders. A running Chromium's lies in the scratch folder, a stopped browser's in the data folder.
 *
 *   scratch/p-1f3a…        the folder a Chromium runs on
 *   scratch/browser_… ──>  link to the folder of that browser, so that a killed service finds it again
 *   data/profiles/browser_…  kept while the browser is stopped
 *
 * The scratch folder may lie in memory. When little is left there, new profiles go to a folder on a disk, which is laid out
 * in the same way: slower, but no browser is refused because another has a large profile.
 */
import { randomBytes } from 'node:crypto';
import {
  chown,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rmdir,
  stat,
  symlink,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { freeBytes } from '../../kit/disk-room.ts';
import { isId } from '../../kit/id.ts';
import { copyTree, HeldFolder, removeIn, removeTree } from '../../process/process.ts';
import { refuseForeign } from './own-folder.ts';

export interface ProfileFolders {
  /** A new, empty folder that the user Chromium runs as may write. */
  make(): Promise<string>;
  /** A new folder that is filled before the user Chromium runs as may enter it; removed if that fails. */
  makeWith<T>(fill: (folder: string) => Promise<T>): Promise<{ folder: string; made: T }>;
  /** The same, for the service alone. */
  makeOwn<T>(fill: (folder: string) => Promise<T>): Promise<{ folder: string; made: T }>;
  /** Where the folder of this browser is, running or stopped; undefined when it has none. */
  find(browserId: string): Promise<string | undefined>;
  /** Remembers whose folder it is, over a crash of the service. */
  assign(folder: string, browserId: string): Promise<void>;
  /** The folder this browser ran on or was stopped with, back in the scratch folder; undefined when it is lost. */
  reclaim(browserId: string): Promise<string | undefined>;
  /** Keeps the folder of a browser that stops. */
  keep(folder: string, browserId: string): Promise<void>;
  /** Removes a folder and returns the bytes it held. */
  remove(folder: string): Promise<number>;
  /** Removes whatever the browser still has here. */
  forget(browserId: string): Promise<number>;
  /** The browsers that have a folder here. */
  browserIds(): Promise<string[]>;
  /** Removes every folder that belongs to none of these browsers. */
  sweep(keepFor: ReadonlySet<string>): Promise<void>;
  /** Removes the scratch folder itself when nothing is in it. */
  close(): Promise<void>;
}

/** Chromium makes these anew; keeping them would only cost disk. */
const caches = [
  'Cache',
  'Code Cache',
  'GPUCache',
  'DawnGraphiteCache',
  'DawnWebGPUCache',
  'GrShaderCache',
  'ShaderCache',
];
const leftovers = ['SingletonLock', 'SingletonSocket', 'SingletonCookie', 'DevToolsActivePort'];

const missing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

export async function openProfileFolders(options: {
  scratchDir: string;
  /** Where profiles go when the scratch folder has less than this left. */
  overflow: { folder: string; leastFreeBytes: number };
  dataDir: string;
  user?: { uid: number; gid: number };
}): Promise<ProfileFolders> {
  const kept = join(options.dataDir, 'profiles');
  // Other users may pass through the scratch folder but not list it.
  await mkdir(options.scratchDir, { recursive: true, mode: 0o711 });
  await mkdir(options.overflow.folder, { recursive: true, mode: 0o711 });
  await refuseForeign(options.scratchDir, 'BROWSERD_SCRATCH_DIR');
  await refuseForeign(options.overflow.folder, 'BROWSERD_EXCHANGE_DIR');
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const roots = [options.scratchDir, options.overflow.folder];
  const [scratch, disk] = await Promise.all(roots.map((root) => stat(root)));
  const sameDisk = scratch?.dev === disk?.dev;
  const root = async (): Promise<string> =>
    sameDisk || (await freeBytes(options.scratchDir)) >= options.overflow.leastFreeBytes
      ? options.scratchDir
      : options.overflow.folder;
  const keptOf = (browserId: string): string => join(kept, browserId);

  const own = async (folder: string): Promise<void> => {
    if (options.user) await chown(folder, options.user.uid, options.user.gid);
  };
  const make = async (): Promise<string> => {
    const folder = join(await root(), `p-${randomBytes(8).toString('hex')}`);
    await mkdir(folder, { mode: 0o700 });
    await own(folder);
    return folder;
  };
  const makeOwn: ProfileFolders['makeOwn'] = async (fill) => {
    const folder = join(await root(), `p-${randomBytes(8).toString('hex')}`);
    await mkdir(folder, { mode: 0o700 });
    try {
      return { folder, made: await fill(folder) };
    } catch (error) {
      await removeTree(folder);
      throw error;
    }
  };
  const linkedIn = async (place: string, browserId: string): Promise<string | undefined> => {
    try {
      const folder = join(place, basename(await readlink(join(place, browserId))));
      await lstat(folder);
      return folder;
    } catch (error) {
      if (missing(error)) return undefined;
      throw error;
    }
  };
  const linked = async (browserId: string): Promise<string | undefined> => {
    const found = await Promise.all(roots.map((place) => linkedIn(place, browserId)));
    return found.find((folder) => folder !== undefined);
  };
  const unlinked = async (browserId: string): Promise<void> => {
    for (const place of roots)
      await unlink(join(place, browserId)).catch((error) => {
        if (!missing(error)) throw error;
      });
  };

  return {
    make,
    makeOwn,
    makeWith: (fill) =>
      makeOwn(async (folder) => {
        const made = await fill(folder);
        await own(folder);
        return made;
      }),
    async find(browserId) {
      const running = await linked(browserId);
      if (running) return running;
      try {
        await lstat(keptOf(browserId));
        return keptOf(browserId);
      } catch (error) {
        if (missing(error)) return undefined;
        throw error;
      }
    },
    async assign(folder, browserId) {
      await unlinked(browserId);
      await symlink(basename(folder), join(dirname(folder), browserId));
    },
    async reclaim(browserId) {
      const running = await linked(browserId);
      if (running) {
        await removeNames(running, leftovers);
        return running;
      }
      const folder = join(await root(), `p-${randomBytes(8).toString('hex')}`);
      try {
        await move(keptOf(browserId), folder);
      } catch (error) {
        if (missing(error)) return undefined;
        throw error;
      }
      return folder;
    },
    async keep(folder, browserId) {
      await removeNames(folder, [...caches, ...leftovers], caches);
      await removeTree(keptOf(browserId));
      await move(folder, keptOf(browserId));
      await unlinked(browserId);
    },
    remove: removeTree,
    async forget(browserId) {
      const running = await linked(browserId);
      const freed = [running ? await removeTree(running) : 0, await removeTree(keptOf(browserId))];
      await unlinked(browserId);
      return freed.reduce((sum, bytes) => sum + bytes, 0);
    },
    async browserIds() {
      const names = await Promise.all([...roots, kept].map((place) => readdir(place)));
      return [...new Set(names.flat())].filter((name) => isId('browser', name));
    },
    async sweep(keepFor) {
      const wanted = new Set(await Promise.all([...keepFor].map(linked)));
      for (const place of roots)
        for (const name of await readdir(place)) {
          const path = join(place, name);
          if (!wanted.has(path) && !keepFor.has(name)) await removeTree(path);
        }
      for (const name of await readdir(kept)) if (!keepFor.has(name)) await removeTree(join(kept, name));
    },
    async close() {
      for (const place of roots) {
        const left = await readdir(place).catch(() => ['unknown']);
        if (left.length === 0) await rmdir(place).catch(() => undefined);
      }
    },
  };
}

/** A rename where that is possible; between two file systems a copy that keeps the owner, then the removal. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const { uid, gid } = await lstat(from);
    try {
      await copyTree(from, to, process.getuid?.() === 0 ? { uid, gid } : undefined);
    } catch (failure) {
      await removeTree(to);
      throw failure;
    }
    await removeTree(from);
  }
}

/** What a Chromium wrote may be a link by now, also its folder `Default`. */
async function removeNames(path: string, names: string[], inDefault: string[] = []): Promise<void> {
  using folder = HeldFolder.open(path);
  using profile = folder?.folder('Default');
  await Promise.all([
    ...(folder ? names.map((name) => removeIn(folder, name)) : []),
    ...(profile ? inDefault.map((name) => removeIn(profile, name)) : []),
  ]);
}
