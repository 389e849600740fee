import { randomBytes } from 'node:crypto';
import { link, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { wrongUsage } from './failure.ts';

export interface WriteOptions {
  /** Over a file of that name. */
  replace: boolean;
  /** What `path` links to is written, and the link stays. */
  follow?: boolean;
  mode?: number;
}

/**
 * Writes a file whole or not at all: beside its place first, then in one step under its name. Whoever looks meanwhile
 * sees the old one or none, and a call that is broken off leaves nothing.
 */
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

/** Unlike a rename, a link never takes the place of a file that came up meanwhile. */
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
