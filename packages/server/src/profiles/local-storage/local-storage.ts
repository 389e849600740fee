/**
 * The local storage of all origins, from the files of a Chromium that has ended. While one runs it can be asked for that of
 * open pages only; and a profile whose local storage is known needs no folder to be used.
 */
import { readLevelDb } from './level-db.ts';

/** JSON of pairs, as Chromium and the checkpoints have it. */
export interface OriginStorage {
  origin: string;
  entries: string;
}

/** In the profile folder. */
export const storageFolder = ['Default', 'Local Storage', 'leveldb'];

/** Two bytes a character, or one where that is enough. */
const textOf = (bytes: Buffer): string => {
  const kind = bytes[0];
  if (kind === 0) return bytes.subarray(1).toString('utf16le');
  if (kind === 1) return bytes.subarray(1).toString('latin1');
  throw new Error('a text is of a kind that is not known');
};

/** Of a whole site, not of a frame in another one's page: such a part cannot be put back from outside. */
const originIn = (key: string): string => {
  const origin = URL.parse(key)?.origin;
  if (!origin || !/^https?:/.test(origin) || (key !== origin && key !== `${origin}/`))
    throw new Error('a part belongs to no plain origin');
  return origin;
};

/** Of the files in `storageFolder`, by name. Throws when it cannot say what there is; no files: nothing was kept. */
export function readLocalStorage(files: ReadonlyMap<string, Buffer>): OriginStorage[] {
  if (files.size === 0) return [];
  const byOrigin = new Map<string, [string, string][]>();
  for (const [key, value] of readLevelDb(files)) {
    const end = key.indexOf('\0');
    if (!key.startsWith('_') || end === -1) continue;
    const origin = originIn(key.slice(1, end));
    const pairs = byOrigin.get(origin) ?? [];
    byOrigin.set(origin, pairs);
    pairs.push([textOf(Buffer.from(key.slice(end + 1), 'latin1')), textOf(value)]);
  }
  return [...byOrigin].map(([origin, pairs]) => ({ origin, entries: JSON.stringify(pairs) }));
}
