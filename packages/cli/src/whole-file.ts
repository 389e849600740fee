/**
 * Writes a file completely or not at all: first beside its place, then in one step under its name. A reader sees the old
 * file or none meanwhile, and an aborted call leaves nothing.
 */
import { randomBytes } from 'node:crypto';
import { link, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { wrongUsage } from './failure.ts';

export interface WriteOptions {
  /** Overwrites a file of that name. */
  replace: boolean;
  /** Writes the target of a symbolic link, and keeps the link. */
  follow?: boolean;
  mode?: number;
}

export async function writeWhole(
  named: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { replace, follow = false, mode = 0o666 }: WriteOptions,
): Promise<number> {
  const path = follow ? await realpath(named).catch(() => named) : named;
  const beside = join(
    dirname(path),
    `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`,
  );
  const file = await open(beside, 'wx', mode);
  try {
    let written = 0;
    try {
      for await (const chunk of chunks) {
        await file.writeFile(chunk);
        written += chunk.length;
      }
    } finally {
      await file.close();
    }
    if (replace) await rename(beside, path);
    else await linkOnce(beside, path);
    return written;
  } finally {
    await rm(beside, { force: true });
  }
}

/** Unlike a rename, a link never replaces a file that was created meanwhile. */
async function linkOnce(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw fileExists(to);
    throw error;
  }
}

export const fileExists = (path: string): Error =>
  wrongUsage(`${path} is there already. Overwrite it with --force, or name another file with -o FILE.`);
