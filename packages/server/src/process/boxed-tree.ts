/** Removing and copying what a box has written, without following a link that it may have planted; see held-folder.ts. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lchown, lutimes, mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { codeOf, HeldFolder } from './held-folder.ts';

/** Each level holds a descriptor, and a page can nest folders without end. */
const deepest = 24;
/** By depth. Chromium has most of its folders at the top; further down their number is a page's choice. */
const foldersAtOnce = [1, 8, 4];
/** A process that still writes is outrun, or the caller is told. */
const rounds = 5;
const mostRounds = 10_000;
/** Programs that run as their owner are nothing that Chromium keeps. */
const specialModes = 0o6000;

/** Removes whatever is at the path, whose folder only the service may write; returns the bytes that were there. */
export async function removeTree(path: string): Promise<number> {
  using parent = HeldFolder.openOwn(dirname(path));
  // awaited, or the descriptor would be closed at once
  return parent ? await removeIn(parent, basename(path)) : 0;
}

/** Removes one entry of a folder, with all that is in it; returns the bytes that were there. */
export async function removeIn(folder: HeldFolder, name: string): Promise<number> {
  if (!folder.stat(name)?.isDirectory()) return removeFile(folder, name);
  let bytes = 0;
  for (let round = 1; ; round++) {
    {
      using inside = folder.folder(name);
      if (!inside) return bytes + (await removeFile(folder, name));
      bytes += await empty(inside, inside, 1);
    }
    const hindrance = folder.removeEmpty(name);
    if (!hindrance || hindrance === 'ENOENT') return bytes;
    if (hindrance === 'ENOTDIR') return bytes + (await removeFile(folder, name));
    if (hindrance !== 'ENOTEMPTY' || round === rounds)
      throw new Error(`A folder that a box has written could not be removed: ${hindrance}.`);
  }
}

async function empty(folder: HeldFolder, top: HeldFolder, depth: number): Promise<number> {
  let bytes = 0;
  const enter = async (name: string): Promise<void> => {
    if (depth >= deepest) return lift(folder, name, top);
    {
      using inside = folder.folder(name);
      // Swapped for something else meanwhile: the next round meets it.
      if (!inside) return;
      // Added once it is known: others are removed meanwhile.
      const removed = await empty(inside, top, depth + 1);
      bytes += removed;
    }
    folder.removeEmpty(name);
  };
  for (let round = 0; round < mostRounds; round++) {
    const { folders, more } = await folder.each(async ({ name }) => {
      const removed = await removeFile(folder, name);
      bytes += removed;
    });
    await someAtOnce(folders, foldersAtOnce[depth] ?? 1, enter);
    if (!more) break;
  }
  return bytes;
}

async function someAtOnce<T>(items: T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}

/** What is nested deep comes to the top, where the next round removes it. */
async function lift(folder: HeldFolder, name: string, top: HeldFolder): Promise<void> {
  await rename(folder.at(name), top.at(`deep-${randomBytes(8).toString('hex')}`)).catch(() => undefined);
}

async function removeFile(folder: HeldFolder, name: string): Promise<number> {
  const found = folder.stat(name);
  if (!found) return 0;
  try {
    await unlink(folder.at(name));
    return found.size;
  } catch (error) {
    // gone, or a folder by now
    if (['ENOENT', 'EISDIR', 'EPERM'].includes(codeOf(error) ?? '')) return 0;
    throw error;
  }
}

/**
 * Copies folders and plain files; links and devices are left out, as nothing that Chromium keeps is one. The copy belongs to
 * the given user, from the inside out, so that no process of that user can write into it before it is whole.
 */
export async function copyTree(
  from: string,
  to: string,
  owner?: { uid: number; gid: number },
): Promise<void> {
  using source = HeldFolder.open(from);
  if (!source) throw Object.assign(new Error(`There is no folder ${from}.`), { code: 'ENOENT' });
  await mkdir(to, { mode: 0o700 });
  using target = HeldFolder.open(to);
  if (!target) throw new Error(`${to} was replaced while it was made.`);
  await copyInto(source, target, owner, 1);
  if (owner) await lchown(to, owner.uid, owner.gid);
}

async function copyInto(
  source: HeldFolder,
  target: HeldFolder,
  owner: { uid: number; gid: number } | undefined,
  depth: number,
): Promise<void> {
  const give = async (name: string): Promise<void> => {
    if (owner) await lchown(target.at(name), owner.uid, owner.gid);
  };
  const { folders } = await source.each(async ({ name }) => {
    if (await copyOne(source, target, name)) await give(name);
  });
  if (depth >= deepest) return;
  for (const name of folders) {
    using inside = source.folder(name);
    if (!inside) continue;
    await mkdir(target.at(name), { mode: 0o700 });
    using copy = target.folder(name);
    if (!copy) throw new Error('A copy was replaced while it was made.');
    await copyInto(inside, copy, owner, depth + 1);
    await give(name);
  }
}

/** The file that was opened is the one that is copied, whatever has its name by then. */
async function copyOne(source: HeldFolder, target: HeldFolder, name: string): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, COPYFILE_EXCL, COPYFILE_FICLONE } = constants;
  const file = await open(source.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ignoreSwapped);
  if (!file) return false;
  await using opened = file;
  const found = await opened.stat();
  if (!found.isFile() || (found.mode & specialModes) !== 0) return false;
  const path = process.platform === 'linux' ? `/proc/self/fd/${opened.fd}` : source.at(name);
  await copyFile(path, target.at(name), COPYFILE_EXCL | COPYFILE_FICLONE);
  await lutimes(target.at(name), found.atime, found.mtime);
  return true;
}

function ignoreSwapped(error: unknown): undefined {
  if (!['ENOENT', 'ELOOP', 'ENXIO'].includes(codeOf(error) ?? '')) throw error;
}
