/**
 * A toolbox costs a second of CPU to lay out and is the same at every start, so it is kept in the cache folder, where all
 * services of one user find it:
 *
 *   cache/  new-XXXXXX/      one that is being laid out
 *           toolbox-<hash>/  appears whole, by a rename; named after all it was made of
 *           old-XXXXXX/      on its way out
 *
 * One in use has its time set again every few minutes. What was not used for a week goes, and so does what is beyond
 * the few last ones, when another one is laid out.
 */
import { lstat, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isWhole } from './contents.ts';

const minuteMs = 60_000;
const touchEveryMs = 10 * minuteMs;
/** Longer than any start takes, and several times the pause between two touches. */
const surelyIdleMs = 60 * minuteMs;
const forgottenMs = 7 * 24 * 60 * minuteMs;
const keptAtMost = 4;

export interface Shared extends Disposable {
  folder: string;
}

/** @param layOut fills the folder it is given; the list of its contents comes last */
export async function shareToolbox(
  cache: string,
  name: string,
  layOut: (folder: string) => Promise<void>,
): Promise<Shared> {
  const place = join(cache, name);
  if (!(await isWhole(place))) {
    const fresh = await mkdtemp(join(cache, 'new-'));
    try {
      await layOut(fresh);
      await putInPlace(fresh, place, cache);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
    await sweep(cache, name);
  }
  await touch(place);
  const timer = setInterval(() => void touch(place), touchEveryMs).unref();
  return { folder: place, [Symbol.dispose]: () => clearInterval(timer) };
}

async function putInPlace(fresh: string, place: string, cache: string): Promise<void> {
  for (;;) {
    try {
      return await rename(fresh, place);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    // Another service was faster, or what lies there is broken.
    if (await isWhole(place)) return;
    await remove(place, cache);
  }
}

const isTaken = (error: unknown): boolean =>
  ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Gone from its place in one step: no service finds half of it. */
async function remove(place: string, cache: string): Promise<void> {
  const old = await mkdtemp(join(cache, 'old-'));
  // Another service may remove the same one.
  await rename(place, join(old, 'was')).catch(() => undefined);
  await rm(old, { recursive: true, force: true });
}

/** A toolbox that is no longer there is laid out again by the next start of a runner. */
const touch = (place: string): Promise<void> => utimes(place, new Date(), new Date()).catch(() => undefined);

async function sweep(cache: string, current: string): Promise<void> {
  const idle = async (name: string): Promise<{ name: string; forMs: number }> => {
    const { mtimeMs } = await lstat(join(cache, name)).catch(() => ({ mtimeMs: Date.now() }));
    return { name, forMs: Date.now() - mtimeMs };
  };
  const names = (await readdir(cache)).filter((name) => name !== current);
  const found = await Promise.all(names.map(idle));
  const aside = found.filter(({ name }) => /^(new|old)-/.test(name));
  const others = found.filter(({ name }) => name.startsWith('toolbox-')).sort((a, b) => a.forMs - b.forMs);
  const unwanted = others.filter(({ forMs }, rank) => forMs > forgottenMs || rank + 1 >= keptAtMost);
  for (const { name, forMs } of [...aside, ...unwanted])
    if (forMs > surelyIdleMs) await remove(join(cache, name), cache);
}
