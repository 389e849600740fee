/**
 * What a version of a profile is, as one stream of bytes: its state, its local storage, its files.
 */
import type { Readable } from 'node:stream';
import type { OriginStorage } from '../local-storage/local-storage.ts';
import { type Entry, wholeOf } from './framing.ts';
import { layOut } from './profile-files.ts';
import { opened, packed, type Sealed } from './sealed-entries.ts';

export type { Entry } from './framing.ts';
export { packFolder, unpackFolder } from './packed-folder.ts';
export { contentsOf, filesOf, hasSiteData } from './profile-files.ts';
export type { Sealed, Sealing } from './sealed-entries.ts';
export { type Survey, surveyOf } from './survey.ts';

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

/** Of all local storage in an archive: more is never read into memory. */
const mostStorageBytes = 64 * 1024 ** 2;
const mostStateBytes = 64 * 1024 ** 2;

export function packArchive(
  { state, storage }: ProfileData,
  files: AsyncIterable<Entry>,
  sealed: Sealed,
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
  return packed(entries(), sealed);
}

/** Reads it; with a folder, its files are laid out there. Without, reading ends where the files begin. */
export async function unpackArchive(
  bytes: Readable,
  sealed: Sealed,
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
export async function* filesIn(bytes: Readable, sealed: Sealed): AsyncGenerator<Entry> {
  for await (const { head, body } of opened(bytes, sealed))
    if (head.kind === 'folder' || head.kind === 'file') yield { head, body };
}
