import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../kit/log.ts';
import { Access } from './access.ts';
import { openTestStore, type TestStore } from './test-store.ts';

const begin = ({ store, dataDir }: TestStore) => ({
  access: new Access({ store, log: createLog('silent') }),
  keyFile: join(dataDir, 'admin-key'),
});

const configured = 'a-key-from-the-environment';

test('the first start makes an admin key and writes it where only its owner reads it', async () => {
  await using opened = await openTestStore();
  const { access, keyFile } = begin(opened);
  await writeFile(keyFile, 'left over');
  await chmod(keyFile, 0o644);
  const { created, secret, file } = await access.ensureFirstKey({ apiKey: null, keyFile });
  expect({ created, file }).toEqual({ created: true, file: keyFile });
  expect(await readFile(keyFile, 'utf8')).toBe(`${secret}\n`);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  await expect(access.authenticate(`Bearer ${secret}`)).resolves.toMatchObject({ role: 'admin' });
});

test('a later start makes none and says where the first one is', async () => {
  await using opened = await openTestStore();
  const { access, keyFile } = begin(opened);
  await access.ensureFirstKey({ apiKey: null, keyFile });
  expect(await access.ensureFirstKey({ apiKey: null, keyFile })).toEqual({ created: false, file: keyFile });
  expect(await opened.store.keys.count()).toBe(1);
});

test('the file of a key that no longer works is not named', async () => {
  await using opened = await openTestStore();
  const { access, keyFile } = begin(opened);
  const { secret } = await access.ensureFirstKey({ apiKey: null, keyFile });
  const { projectId, keyId } = await access.authenticate(`Bearer ${secret}`);
  await access.createKey(projectId, { name: 'another', role: 'admin' });
  await access.revokeKey(projectId, keyId);
  expect(await access.ensureFirstKey({ apiKey: null, keyFile })).toEqual({ created: false });
});

test('a key from the environment works, once stored, and is not written to a file', async () => {
  await using opened = await openTestStore();
  const { access, keyFile } = begin(opened);
  expect(await access.ensureFirstKey({ apiKey: configured, keyFile })).toEqual({ created: true });
  expect(await access.ensureFirstKey({ apiKey: configured, keyFile })).toEqual({ created: false });
  expect(await opened.store.keys.count()).toBe(1);
  await expect(access.authenticate(`Bearer ${configured}`)).resolves.toMatchObject({ role: 'admin' });
  await expect(stat(keyFile)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a key from the environment is made valid on a later start beside other keys, and again after it was revoked', async () => {
  await using opened = await openTestStore();
  const { access, keyFile } = begin(opened);
  await access.ensureFirstKey({ apiKey: null, keyFile });
  await access.ensureFirstKey({ apiKey: configured, keyFile });
  const { projectId, keyId } = await access.authenticate(`Bearer ${configured}`);
  await access.revokeKey(projectId, keyId);
  await expect(access.authenticate(`Bearer ${configured}`)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  await access.ensureFirstKey({ apiKey: configured, keyFile });
  await expect(access.authenticate(`Bearer ${configured}`)).resolves.toMatchObject({ role: 'admin' });
});
