/**
 * What a look at a profile folder tells without reading a file: how much of it would be packed, and a mark that changes when
 * pages or extensions keep something else there. Chromium itself rewrites its preferences all the time, and cookies are saved
 * elsewhere: neither is in the mark.
 */
import { createHash } from 'node:crypto';
import { HeldFolder } from '../../process/process.ts';
import { deepest, mostEntries, namesIn, siteData } from './profile-files.ts';

export interface Survey {
  /** Of all files that would be packed. */
  bytes: number;
  /** Of what pages and extensions keep; empty when they keep nothing. */
  mark: string;
}

/** In the folder `Default`, beside the data of sites. */
const extensionData = [
  ...['Local Extension Settings', 'Sync Extension Settings', 'Managed Extension Settings'],
  ...['Extension State', 'Extension Rules', 'Extension Scripts', 'Storage'],
];
const keptByPages = new Set([...siteData, ...extensionData, 'Local Storage']);

/** Undefined when there is no such folder. */
export async function surveyOf(folder: string): Promise<Survey | undefined> {
  using top = HeldFolder.open(folder);
  if (!top) return undefined;
  const hash = createHash('sha256');
  const seen = { bytes: 0, entries: 0, marked: 0 };
  const walk = async (held: HeldFolder, path: readonly string[]): Promise<void> => {
    const { files, folders } = await namesIn(held);
    seen.entries += files.length + folders.length;
    if (seen.entries > mostEntries) throw new Error(`A profile has more than ${mostEntries} files.`);
    const isMarked = path[0] === 'Default' && keptByPages.has(path[1] ?? '');
    for (const name of files) {
      const found = held.stat(name);
      if (!found?.isFile()) continue;
      seen.bytes += found.size;
      if (!isMarked) continue;
      seen.marked++;
      hash.update(`${[...path, name].join('/')}\0${found.size}\0${found.mtimeMs}\0`);
    }
    if (path.length + 1 >= deepest) return;
    for (const name of folders) {
      using inside = held.folder(name);
      if (inside) await walk(inside, [...path, name]);
    }
  };
  await walk(top, []);
  return { bytes: seen.bytes, mark: seen.marked === 0 ? '' : hash.digest('hex') };
}
