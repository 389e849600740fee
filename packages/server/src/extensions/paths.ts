/** Paths in a package: only such that stay below the folder they are unpacked into, on every system, and do not clash. */
import { unusable } from './unusable.ts';

const longestPath = 1024;
const longestName = 200;
const deepest = 32;

export function checkedPath(name: Uint8Array): string {
  let path: string;
  try {
    path = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw unusable('The package has a file whose name is not UTF-8.');
  }
  const names = path.replace(/\/$/, '').split('/');
  const isSafe =
    path.length <= longestPath &&
    names.length <= deepest &&
    // no control characters, no separators or drives of other systems
    !/[\p{Cc}\\:]/u.test(path) &&
    names.every((each) => each !== '' && each !== '.' && each !== '..' && each.length <= longestName);
  if (!isSafe)
    throw unusable(
      `The package has a file with the path ${JSON.stringify(path.slice(0, 200))}, which is not taken.`,
    );
  return path;
}

/** Two entries of one path, or a file where another entry has a folder. Case is ignored, as some disks ignore it. */
export function refuseClashes(entries: readonly { path: string; isFolder: boolean }[]): void {
  const keyOf = (path: string) => path.replace(/\/$/, '').normalize('NFC').toLowerCase();
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const { path, isFolder } of entries) {
    const key = keyOf(path);
    if (!isFolder && files.has(key)) throw unusable(`The package has ${JSON.stringify(path)} twice.`);
    (isFolder ? folders : files).add(key);
    const names = key.split('/');
    for (let n = 1; n < names.length; n++) folders.add(names.slice(0, n).join('/'));
  }
  const both = [...files].find((file) => folders.has(file));
  if (both !== undefined) throw unusable(`${JSON.stringify(both)} in the package is a file and a folder.`);
}
