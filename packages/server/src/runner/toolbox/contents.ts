/**
 * The list of all files in a toolbox with their checksums, written as its last file. A toolbox that a service finds is used
 * only when no other user could have written any of it, and when it is exactly what its list says: the first keeps out
 * what is hostile, the second what is damaged. For that a CRC will do, at a tenth of the time of a cryptographic hash.
 */
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { crc32 } from 'node:zlib';

const listName = 'contents.json';

const sumOf = (bytes: Buffer): string => `${bytes.length} ${crc32(bytes)}`;

/** No other user can have written to it, or can now. */
export const isOursAlone = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean =>
  uid === process.getuid?.() && (mode & 0o022) === 0;

export async function writeContents(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const list = await Promise.all(
    files.map(async (path) => [relative(folder, path), sumOf(await readFile(path))] as const),
  );
  await writeFile(join(folder, listName), JSON.stringify(Object.fromEntries(list)));
}

async function readOwn(path: string): Promise<Buffer | undefined> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const stats = await file.stat();
  return stats.isFile() && isOursAlone(stats) ? await file.readFile() : undefined;
}

async function isAsListed(folder: string): Promise<boolean> {
  const top = await lstat(folder);
  if (!top.isDirectory() || !isOursAlone(top)) return false;
  const list = JSON.parse((await readOwn(join(folder, listName)))?.toString() ?? '{}') as Record<
    string,
    string
  >;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const checked = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) return isOursAlone(await lstat(path));
      const name = relative(folder, path);
      if (name === listName) return true;
      const bytes = await readOwn(path);
      return bytes !== undefined && list[name] === sumOf(bytes);
    }),
  );
  const files = entries.filter((entry) => !entry.isDirectory());
  return checked.every(Boolean) && files.length === Object.keys(list).length + 1;
}

/** False also where there is nothing. */
export const isWhole = (folder: string): Promise<boolean> => isAsListed(folder).catch(() => false);
