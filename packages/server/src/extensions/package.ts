/** The package of an extension: looked through when it is uploaded, unpacked for each Chromium that loads it. */
import { chown, type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findZip } from './crx.ts';
import {
  keyOfManifest,
  type Manifest,
  manifestFor,
  messageIn,
  nameIn,
  parseManifest,
  viewOfManifest,
} from './manifest.ts';
import type { ManifestView } from './schema.ts';
import { unusable } from './unusable.ts';
import { contentOf, readZip, type ZipEntry } from './zip.ts';

export const packageLimits = { packedBytes: 32 * 1024 ** 2, mostBytes: 128 * 1024 ** 2, mostFiles: 5000 };
/** Files that the service itself reads. */
const longestText = 1024 ** 2;

export interface Package {
  name: string;
  version: string;
  manifest: ManifestView;
  /** Of the manifest or the CRX; absent: it has none of its own. */
  publicKey?: Buffer | undefined;
}

type Owner = { uid: number; gid: number } | undefined;

async function opened<T>(
  path: string,
  use: (file: FileHandle, entries: ZipEntry[], crxKey: Buffer | undefined) => Promise<T>,
): Promise<T> {
  await using file = await open(path);
  const { size: end } = await file.stat();
  const { start, publicKey } = await findZip(file, end);
  return await use(file, await readZip(file, { start, end }, packageLimits), publicKey);
}

/** Every file of it is unpacked once, into nothing: a damaged one is told now, not when a browser starts. */
export const readPackage = (path: string): Promise<Package> =>
  opened(path, async (file, entries, crxKey) => {
    const manifest = await readManifest(file, entries);
    const { version, ...view } = viewOfManifest(manifest);
    const publicKey = keyOfManifest(manifest) ?? crxKey;
    const name = await readName(file, entries, manifest);
    for (const entry of entries) for await (const _ of contentOf(file, entry));
    return { name, version, manifest: view, publicKey };
  });

/** Into a folder that the service has just made. */
export const unpackPackage = (
  path: string,
  folder: string,
  { publicKey, owner }: { publicKey: string; owner: Owner },
): Promise<void> =>
  opened(path, async (file, entries) => {
    const made = new Set(['.']);
    const own = async (target: string): Promise<void> => {
      if (owner) await chown(target, owner.uid, owner.gid);
    };
    const makeFolder = async (path: string): Promise<void> => {
      if (made.has(path)) return;
      await makeFolder(dirname(path));
      made.add(path);
      await mkdir(join(folder, path), { mode: 0o755 });
      await own(join(folder, path));
    };
    for (const entry of entries) {
      // Chromium's own, for what it makes of an extension; the store puts its signatures there.
      if (/^_metadata(\/|$)/i.test(entry.path)) continue;
      if (entry.isFolder) await makeFolder(entry.path.slice(0, -1));
      else {
        await makeFolder(dirname(entry.path));
        const target = join(folder, entry.path);
        const content =
          entry.path === 'manifest.json'
            ? JSON.stringify(manifestFor(await readManifest(file, entries), publicKey))
            : contentOf(file, entry);
        await writeFile(target, content, { flag: 'wx', mode: 0o644 });
        await own(target);
      }
    }
  });

async function readManifest(file: FileHandle, entries: readonly ZipEntry[]): Promise<Manifest> {
  const entry = entries.find(({ path }) => path === 'manifest.json');
  if (entry) return parseManifest(await textOf(file, entry));
  const deeper = entries.find(({ path }) => /^[^/]+\/manifest\.json$/.test(path));
  throw unusable(
    deeper
      ? `manifest.json is not at the top of the package, but at ${JSON.stringify(deeper.path)}. Pack the contents of the folder, not the folder.`
      : 'The package has no manifest.json.',
  );
}

async function readName(file: FileHandle, entries: readonly ZipEntry[], manifest: Manifest): Promise<string> {
  const name = nameIn(manifest);
  if (typeof name === 'string') return name;
  const entry = entries.find(({ path }) => path === name.file);
  const message = entry && messageIn(await textOf(file, entry), name.message);
  if (message === undefined)
    throw unusable(`The name of the extension is missing: no message ${name.message} in ${name.file}.`);
  return message;
}

async function textOf(file: FileHandle, entry: ZipEntry): Promise<string> {
  if (entry.size > longestText)
    throw unusable(`${JSON.stringify(entry.path)} is longer than ${longestText} bytes.`);
  return Buffer.concat(await Array.fromAsync(contentOf(file, entry))).toString('utf8');
}
