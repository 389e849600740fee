/**
 * The files of a profile folder, to and from an archive. What is packed was written by a Chromium that a page may have taken
 * over, so no link is followed (process/held-folder.ts); what is laid out lies in a folder that no other process can enter
 * until it is whole.
 */
import { chownSync, closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { HeldFolder } from '../../process/process.ts';
import type { Entry, ReadEntry } from './framing.ts';

/** Chromium makes these anew, or they belong to open tabs and to the process that ran. Of all folders. */
const leftOut = new Set([
  ...['Cache', 'Code Cache', 'GPUCache', 'DawnGraphiteCache', 'DawnWebGPUCache', 'GrShaderCache'],
  ...['ShaderCache', 'GraphiteDawnCache', 'Shared Dictionary', 'blob_storage', 'Session Storage', 'Sessions'],
  ...['BrowserMetrics', 'Crashpad', 'Safe Browsing', 'component_crx_cache', 'extensions_crx_cache'],
  ...['SingletonLock', 'SingletonSocket', 'SingletonCookie', 'DevToolsActivePort', 'LOCK', 'LOG', 'LOG.old'],
]);
/** In the folder `Default`: what pages keep and what neither cookies nor local storage is. */
export const siteData = ['IndexedDB', 'Service Worker', 'File System', 'databases', 'WebStorage'];
/** Names beside the data itself, which are there without any. */
const bookkeeping = /^QuotaManager/;

export const deepest = 24;
export const mostEntries = 50_000;
const chunkBytes = 256 * 1024;
const specialModes = 0o6000;
const safeName = /^(?!\.{1,2}$)[^/\0]{1,255}$/;

interface Found {
  files: string[];
  folders: string[];
}

export async function namesIn(folder: HeldFolder): Promise<Found> {
  const files: string[] = [];
  const { folders, more } = await folder.each(async ({ name }) => {
    if (!leftOut.has(name)) files.push(name);
  });
  if (more) throw new Error('A profile has too many folders to be saved.');
  return { files: files.sort(), folders: folders.filter((name) => !leftOut.has(name)).sort() };
}

/** The file that was opened is the one that is read, whatever has its name by then; undefined when it is no plain file. */
async function openPlain(folder: HeldFolder, name: string) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ignoreSwapped);
  if (!file) return undefined;
  const found = await file.stat();
  if (found.isFile() && (found.mode & specialModes) === 0) return { file, size: found.size };
  await file.close();
  return undefined;
}

function ignoreSwapped(error: unknown): undefined {
  if (!['ENOENT', 'ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** Everything that is worth keeping, folders before what is in them. */
export async function* filesOf(folder: string, limitBytes: number): AsyncGenerator<Entry> {
  using top = HeldFolder.open(folder);
  if (!top) return;
  const left = { entries: mostEntries, bytes: limitBytes };
  yield* entriesIn(top, '', 1, left);
}

async function* entriesIn(
  folder: HeldFolder,
  above: string,
  depth: number,
  left: { entries: number; bytes: number },
): AsyncGenerator<Entry> {
  const { files, folders } = await namesIn(folder);
  left.entries -= files.length + folders.length;
  if (left.entries < 0) throw new Error(`A profile has more than ${mostEntries} files.`);
  for (const name of files) {
    const opened = await openPlain(folder, name);
    if (!opened) continue;
    await using file = opened.file;
    left.bytes -= opened.size;
    if (left.bytes < 0) throw new Error('A profile is larger than the disk that a browser may use.');
    const { size } = opened;
    yield { head: { kind: 'file', path: above + name, size }, body: bytesOf(file, size) };
  }
  if (depth >= deepest) return;
  for (const name of folders) {
    using inside = folder.folder(name);
    if (!inside) continue;
    yield { head: { kind: 'folder', path: above + name } };
    yield* entriesIn(inside, `${above}${name}/`, depth + 1, left);
  }
}

/** As many as it had when it was looked at; a file that is shorter by now makes the archive fail. */
async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(chunkBytes, size - at)), {
      position: at,
    });
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function reach(folder: string, path: readonly string[]): HeldFolder | undefined {
  let held = HeldFolder.open(folder);
  for (const name of path) {
    const inside = held?.folder(name);
    held?.[Symbol.dispose]();
    held = inside;
  }
  return held;
}

/** The plain files of one folder of the profile, whole, unless they are more than `mostBytes` together. */
export async function contentsOf(
  folder: string,
  path: readonly string[],
  mostBytes: number,
): Promise<Map<string, Buffer> | undefined> {
  const contents = new Map<string, Buffer>();
  using held = reach(folder, path);
  if (!held) return contents;
  let bytes = 0;
  for (const name of (await namesIn(held)).files) {
    const opened = await openPlain(held, name);
    if (!opened) return undefined;
    await using file = opened.file;
    bytes += opened.size;
    if (bytes > mostBytes) return undefined;
    contents.set(name, await file.readFile());
  }
  return contents;
}

/** Whether pages keep anything here besides cookies and local storage. */
export async function hasSiteData(folder: string): Promise<boolean> {
  for (const name of siteData) {
    using held = reach(folder, ['Default', name]);
    if (!held) continue;
    const { files, folders } = await namesIn(held);
    if ([...files, ...folders].some((found) => !bookkeeping.test(found))) return true;
  }
  return false;
}

/** Lays one entry out in a folder of the service's own. What is small is written at once, without a thread of the pool. */
export async function layOut(
  { head, body }: ReadEntry,
  folder: string,
  owner: { uid: number; gid: number } | undefined,
): Promise<void> {
  if (head.kind !== 'folder' && head.kind !== 'file') return;
  const names = head.path.split('/');
  if (names.length > deepest + 1 || !names.every((name) => safeName.test(name)))
    throw new Error('An archive is damaged: it names a file that no profile has.');
  const path = join(folder, ...names);
  if (head.kind === 'folder') mkdirSync(path, { mode: 0o700 });
  else await writeWhole(path, body);
  if (owner) chownSync(path, owner.uid, owner.gid);
}

async function writeWhole(path: string, body: AsyncIterable<Buffer>): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    for await (const chunk of body) for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
  } finally {
    closeSync(file);
  }
}
