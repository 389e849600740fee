/**
 * What must not be readable on a disk, in a backup or in a dump of the database is sealed here before it is stored, and
 * opened when it is read. Knows keys and bytes; not what the bytes mean.
 */
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { ApiError } from '../errors.ts';
import { SetupError } from '../kit/setup-error.ts';
import { aboutKey, archiveHeadBytes, sealArchive, unsealArchive } from './archive.ts';
import { isSealed, keyIdIn, largeBytes, seal, sealAside, unseal, unsealAside } from './envelope.ts';
import {
  howToMakeKey,
  keyOfText,
  newKeyText,
  readKeyFile,
  type SealingKey,
  sealingKey,
  writeKeyFile,
} from './key-ring.ts';

export { isSealed, keyIdIn } from './envelope.ts';

export interface Sealing {
  /** The id of the key that seals; made here when there is no key at all. */
  readonly keyId: string;
  /** The ids of all keys that open. */
  readonly keyIds: readonly string[];
  /** Where the keys come from, for the operator. */
  readonly source: string;
  seal(plain: Uint8Array, about: string): Buffer;
  /** What was sealed here about the same thing; fails for everything else. */
  unseal(sealed: Uint8Array, about: string): Buffer;
  /** The same, large values on a thread of libuv: the loop goes on meanwhile. */
  sealLarge(plain: Uint8Array, about: string): Promise<Buffer>;
  unsealLarge(sealed: Uint8Array, about: string): Promise<Buffer>;
  /** For archives: bytes in, a sealed archive out, and back. Every frame, their order and the end are checked. */
  sealing(about: string): Transform;
  unsealing(about: string): Transform;
  /** Makes an archive one of the key that seals, by its first bytes; false when it is one already. */
  rewrapArchive(path: string, about: string): Promise<boolean>;
}

export interface SealingOptions {
  /** The operator's keys, the first of which seals. */
  secretKey: readonly string[] | null;
  dataDir: string;
}

export const keyFileIn = (dataDir: string): string => join(dataDir, 'secret-key');

export function openSealing({ secretKey, dataDir }: SealingOptions): Sealing {
  const file = keyFileIn(dataDir);
  const given = (secretKey ?? []).map((text) => sealingKey(operatorsKey(text)));
  const ring = new Map<string, SealingKey>();
  /** The first one seals. */
  const add = (keys: readonly SealingKey[]): void => {
    for (const key of keys) if (!ring.has(key.id)) ring.set(key.id, key);
  };
  add([...given, ...readKeyFile(file).map(sealingKey)]);

  const first = (): SealingKey => {
    const known = ring.values().next().value;
    if (known) return known;
    add([firstKeyOf(file)]);
    return first();
  };
  const keyOf = (sealed: Uint8Array, about: string): SealingKey => {
    if (!isSealed(sealed)) throw notSealed(about);
    const id = keyIdIn(sealed);
    // The file may have been made since this one was opened, by the service that runs.
    if (!ring.has(id)) add(readKeyFile(file).map(sealingKey));
    const key = ring.get(id);
    if (!key) throw unknownKey(id, about);
    return key;
  };
  const unsealed = (sealed: Uint8Array, about: string): Buffer => unseal(keyOf(sealed, about), sealed, about);
  return {
    get keyId() {
      return first().id;
    },
    get keyIds() {
      return [...ring.keys()];
    },
    source: given.length > 0 ? 'BROWSERD_SECRET_KEY' : file,
    seal: (plain, about) => seal(first(), plain, about),
    unseal: unsealed,
    async sealLarge(plain, about) {
      return plain.length < largeBytes ? seal(first(), plain, about) : await sealAside(first(), plain, about);
    },
    async unsealLarge(sealed, about) {
      const key = keyOf(sealed, about);
      return sealed.length < largeBytes ? unseal(key, sealed, about) : await unsealAside(key, sealed, about);
    },
    sealing: (about) => sealArchive((key) => seal(first(), key, aboutKey(about))),
    unsealing: (about) => unsealArchive(about, (head) => unsealed(head, aboutKey(about))),
    async rewrapArchive(path, about) {
      await using archive = await open(path, 'r+');
      const head = Buffer.alloc(archiveHeadBytes);
      const { bytesRead } = await archive.read(head, 0, archiveHeadBytes, 0);
      if (bytesRead < archiveHeadBytes) throw notSealed(about);
      const key = unsealed(head, aboutKey(about));
      if (keyIdIn(head) === first().id) return false;
      // One write within one sector of the disk: it is the old head or the new one, and both open.
      await archive.write(seal(first(), key, aboutKey(about)), 0, archiveHeadBytes, 0);
      await archive.datasync();
      return true;
    },
  };
}

function operatorsKey(text: string): Buffer {
  const key = keyOfText(text);
  if (key) return key;
  throw new SetupError(
    `BROWSERD_SECRET_KEY has an entry that is no key: expected 32 bytes as base64 or hex. ${howToMakeKey}`,
  );
}

/** Of two processes that start at once one makes the file, and the other reads what it made. */
function firstKeyOf(file: string): SealingKey {
  const text = newKeyText();
  try {
    writeKeyFile(file, [text]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const [made] = readKeyFile(file);
    if (made) return sealingKey(made);
  }
  return sealingKey(keyOfText(text) as Buffer);
}

/** Puts a new key before those of the file: from the next start on it seals. Returns its id. */
export function addKeyToFile(dataDir: string): string {
  const file = keyFileIn(dataDir);
  const before = readKeyFile(file).length > 0 ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const text = newKeyText();
  writeKeyFile(file, [text, ...before], { replace: true });
  return sealingKey(keyOfText(text) as Buffer).id;
}

/** Leaves the first key of the file alone, once nothing needs the others. Returns how many went. */
export function keepFirstKeyOfFile(dataDir: string): number {
  const file = keyFileIn(dataDir);
  const [first, ...others] = readKeyFile(file);
  if (!first || others.length === 0) return 0;
  writeKeyFile(file, [first.toString('base64')], { replace: true });
  return others.length;
}

const notSealed = (about: string): ApiError =>
  new ApiError(
    'STORE_UNAVAILABLE',
    `What is stored as “${about}” is not sealed, or cut short. Restore it from a backup.`,
  );

const unknownKey = (id: string, about: string): ApiError =>
  new ApiError(
    'STORE_UNAVAILABLE',
    `What is stored as “${about}” was sealed with the key ${id}, which this service does not have. Add that key to BROWSERD_SECRET_KEY, after the one that seals, and start again.`,
  );
