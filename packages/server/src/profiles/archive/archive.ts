/**
 * What a version of a profile is, as one stream of bytes. Both directions pass through this file alone, so that what seals
 * archives stands in one place:
 *
 *   contents ──> entries ──> zstd ──> sealed ──> bytes          bytes ──> unsealed ──> zstd ──> entries ──> contents
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { OriginStorage } from '../local-storage/local-storage.ts';
import { type Entry, frame, type ReadEntry, unframe, wholeOf } from './framing.ts';
import { layOut } from './profile-files.ts';

export type { Entry } from './framing.ts';
export { contentsOf, filesOf, hasSiteData } from './profile-files.ts';

/** As CDP sets them. */
export interface ProfileCookie {
  name: string;
  value: string;
  domain?: string;
  path?: string;
  /** Seconds since 1970; absent for a session cookie. */
  expires?: number;
  httpOnly?: boolean;
  secure?: boolean;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

type PermissionSet = Record<string, 'granted' | 'denied' | 'prompt'>;

export interface ProfileState {
  cookies: ProfileCookie[];
  permissions: { permissions: PermissionSet; origins: Record<string, PermissionSet> };
  /** Local storage is newer than what the files have: it takes its place there. */
  storageIsNewer: boolean;
}

export interface ProfileData {
  state: ProfileState;
  storage: OriginStorage[];
}

/** What seals archives; `about` is a text that belongs to one archive alone. */
export interface Sealing {
  sealing(about: string): Transform;
  unsealing(about: string): Transform;
}

/** Of all local storage in an archive: more is never read into memory. */
const mostStorageBytes = 64 * 1024 ** 2;
const mostStateBytes = 64 * 1024 ** 2;
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

export function packArchive(
  { state, storage }: ProfileData,
  files: AsyncIterable<Entry>,
  { about, sealing }: { about: string; sealing?: Sealing },
): Readable {
  async function* entries(): AsyncGenerator<Entry> {
    const text = Buffer.from(JSON.stringify(state));
    yield { head: { kind: 'state', size: text.length }, body: text };
    for (const { origin, entries: pairs } of storage) {
      const body = Buffer.from(pairs);
      yield { head: { kind: 'storage', origin, size: body.length }, body };
    }
    yield* files;
  }
  const framed = Readable.from(frame(entries()), { objectMode: false });
  return joined([framed, createZstdCompress(compression), ...(sealing ? [sealing.sealing(about)] : [])]);
}

/** A failure of one is the failure of the last, which is read. */
function joined(streams: [Readable, ...Transform[]]): Readable {
  const last = streams.at(-1) as Readable;
  if (streams.length > 1) pipeline(streams, () => undefined);
  return last;
}

async function* opened(
  bytes: Readable,
  { about, sealing }: { about: string; sealing?: Sealing },
): AsyncGenerator<ReadEntry> {
  const plain = joined([bytes, ...(sealing ? [sealing.unsealing(about)] : []), createZstdDecompress()]);
  try {
    yield* unframe(plain);
  } finally {
    plain.destroy();
    bytes.destroy();
  }
}

/** Reads it; with a folder, its files are laid out there. Without, reading ends where the files begin. */
export async function unpackArchive(
  bytes: Readable,
  sealed: { about: string; sealing?: Sealing },
  into?: { folder: string; owner?: { uid: number; gid: number } | undefined },
): Promise<ProfileData> {
  const storage: OriginStorage[] = [];
  let state: ProfileState | undefined;
  let left = mostStorageBytes;
  for await (const entry of opened(bytes, sealed)) {
    const { head, body } = entry;
    if (head.kind === 'state') {
      if (head.size > mostStateBytes) throw new Error('An archive is damaged: its state is too large.');
      state = JSON.parse(String(await wholeOf(body))) as ProfileState;
    } else if (head.kind === 'storage') {
      left -= head.size;
      if (left < 0) throw new Error('An archive is damaged: it has too much local storage.');
      storage.push({ origin: head.origin, entries: String(await wholeOf(body)) });
    } else if (into) await layOut(entry, into.folder, into.owner);
    else break;
  }
  if (!state) throw new Error('An archive is damaged: it has no state.');
  return { state, storage };
}

/** Its files as entries of another archive. */
export async function* filesIn(
  bytes: Readable,
  sealed: { about: string; sealing?: Sealing },
): AsyncGenerator<Entry> {
  for await (const { head, body } of opened(bytes, sealed))
    if (head.kind === 'folder' || head.kind === 'file') yield { head, body };
}
