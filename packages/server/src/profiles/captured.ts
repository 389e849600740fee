/**
 * What is known of a browser becomes the contents of a version:
 *
 *   its Chromium ended well     its files; local storage is in them, and is read from them
 *   its Chromium was killed     its files, and over them the local storage that was saved last
 *   its Chromium runs           the files of the version before, and over them the local storage that was saved last
 *
 * Cookies are always those that were saved last: Chromium forgets session cookies.
 */
import {
  contentsOf,
  type Entry,
  filesOf,
  hasSiteData,
  type ProfileData,
  type ProfileState,
} from './archive/archive.ts';
import { type OriginStorage, readLocalStorage, storageFolder } from './local-storage/local-storage.ts';

export interface Captured extends Pick<ProfileState, 'cookies' | 'permissions'> {
  /** Local storage as it was last saved. */
  storage(): AsyncIterable<OriginStorage>;
  /** Of a Chromium that has ended. */
  folder?: string;
  /** It ended by itself, with everything written. */
  endedWell?: boolean;
}

interface Before {
  light: boolean;
  read(): Promise<ProfileData>;
  files(): AsyncIterable<Entry>;
}

/** What a version is made of. */
export interface Contents {
  data: ProfileData;
  files: AsyncIterable<Entry>;
  light: boolean;
}

/** Read at once, on the loop. */
const mostFileBytes = 8 * 1024 ** 2;
/** More than this is put into place faster by Chromium itself, from its files. */
const lightest = { bytes: 1024 ** 2, origins: 16 };

async function storageIn(folder: string): Promise<OriginStorage[] | undefined> {
  const files = await contentsOf(folder, storageFolder, mostFileBytes);
  try {
    return files && readLocalStorage(files);
  } catch {
    // Written by a Chromium that does it otherwise: then its files are all there is.
    return undefined;
  }
}

/** The later ones take the place of earlier ones. */
const overlaid = (...layers: OriginStorage[][]): OriginStorage[] => [
  ...new Map(layers.flat().map((one) => [one.origin, one])).values(),
];

const isLight = (storage: OriginStorage[]): boolean =>
  storage.length <= lightest.origins &&
  storage.reduce((sum, { entries }) => sum + entries.length, 0) <= lightest.bytes;

export async function contentsFrom(
  captured: Captured,
  { before, limitBytes }: { before?: Before; limitBytes: number },
): Promise<Contents> {
  const { cookies, permissions, folder, endedWell = false } = captured;
  const inFiles = folder === undefined ? undefined : await storageIn(folder);
  const known = folder === undefined ? ((await before?.read())?.storage ?? []) : (inFiles ?? []);
  const saved = endedWell && inFiles ? [] : await Array.fromAsync(captured.storage());
  const storage = overlaid(known, saved).filter(({ entries }) => entries !== '[]');
  const data = { state: { cookies, permissions, storageIsNewer: !endedWell }, storage };
  if (folder === undefined)
    return { data, files: before?.files() ?? none(), light: (before?.light ?? true) && isLight(storage) };
  const light = inFiles !== undefined && isLight(storage) && !(await hasSiteData(folder));
  return { data, files: filesOf(folder, limitBytes), light };
}

async function* none(): AsyncGenerator<Entry> {}
