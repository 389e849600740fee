/**
 * The first call of a new installation must work, so a start that finds no key makes one:
 *
 *   BROWSERD_API_KEY set  → that key is valid, on this start and every later one; it is not written to disk
 *   no key in the store   → a new admin key, in a file only its owner can read
 *   otherwise             → nothing; the file of an earlier start is named if its key still works
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newId } from '../kit/id.ts';
import type { KeyRecord, Store } from '../store/records.ts';
import { hashOf, newSecret } from './secret.ts';

export const operatorsProject = 'default';

export interface FirstKey {
  created: boolean;
  /** The key just made, to be shown once. */
  secret?: string;
  /** Where a working admin key can be read. */
  file?: string;
}

const adminKey = (projectId: string, secret: string, name: string): KeyRecord => ({
  id: newId('key'),
  projectId,
  name,
  role: 'admin',
  hash: hashOf(secret),
  createdAt: Date.now(),
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
});

export const isUsable = (key: KeyRecord, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);

const works = async (store: Store, secret: string): Promise<boolean> => {
  const key = await store.keys.findByHash(hashOf(secret));
  return key !== undefined && isUsable(key, Date.now());
};

export async function ensureFirstKey(
  store: Store,
  { apiKey, keyFile }: { apiKey: string | null; keyFile: string },
): Promise<FirstKey> {
  const project = await store.projects.ensure(operatorsProject);
  if (apiKey !== null) return await ensureKey(store, adminKey(project.id, apiKey, 'BROWSERD_API_KEY'));
  if ((await store.keys.count()) > 0) {
    const written = await readFile(keyFile, 'utf8').catch(() => '');
    return { created: false, file: (await works(store, written.trim())) ? keyFile : undefined };
  }
  const secret = newSecret();
  // The file comes first: a crash in between leaves a file without a key, which the next start replaces, and never a
  // key whose secret is lost.
  await writePrivately(keyFile, `${secret}\n`);
  await store.keys.insert(adminKey(project.id, secret, 'first key'));
  return { created: true, secret, file: keyFile };
}

/** A key that was revoked or has expired comes back as a new one, because the operator asks for it by name. */
async function ensureKey(store: Store, key: KeyRecord): Promise<FirstKey> {
  const known = await store.keys.findByHash(key.hash);
  if (known !== undefined && isUsable(known, key.createdAt)) return { created: false };
  if (known?.revokedAt === null) await store.keys.revoke(known.id, undefined, key.createdAt);
  await store.keys.insert(key);
  return { created: true };
}

/** Removed first, because the mode of a file that exists already would stay as it was. */
async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}
