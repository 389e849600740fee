/**
 * A whole profile folder in one archive, with a note on what it is. The note comes first, so that its reader can refuse the
 * rest before a file is laid out.
 */
import type { Readable } from 'node:stream';
import { type Entry, wholeOf } from './framing.ts';
import { layOut } from './profile-files.ts';
import { opened, packed, type Sealed } from './sealed-entries.ts';

interface PackedFolder<Manifest> {
  manifest: Manifest;
  files: AsyncIterable<Entry> | Iterable<Entry>;
}

const mostManifestBytes = 16 * 1024;

export function packFolder<Manifest extends object>(
  { manifest, files }: PackedFolder<Manifest>,
  sealed: Sealed,
): Readable {
  async function* entries(): AsyncGenerator<Entry> {
    const text = Buffer.from(JSON.stringify(manifest));
    yield { head: { kind: 'manifest', size: text.length }, body: text };
    yield* files;
  }
  return packed(entries(), sealed);
}

/** Into a folder that only the service may enter. `check` fails when the folder is not wanted. */
export async function unpackFolder<Manifest extends object>(
  bytes: Readable,
  sealed: Sealed,
  {
    folder,
    owner,
    check,
  }: {
    folder: string;
    owner?: { uid: number; gid: number } | undefined;
    check(manifest: Manifest): Promise<void>;
  },
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  for await (const entry of opened(bytes, sealed)) {
    const { head, body } = entry;
    if (manifest) await layOut(entry, folder, owner);
    else {
      if (head.kind !== 'manifest' || head.size > mostManifestBytes)
        throw new Error('An archive is damaged: it does not begin with its manifest.');
      manifest = JSON.parse(String(await wholeOf(body))) as Manifest;
      await check(manifest);
    }
  }
  if (!manifest) throw new Error('An archive is damaged: it has no manifest.');
  return manifest;
}
