import { expect, test } from 'vitest';
import { newId } from '../kit/id.ts';
import { createLog } from '../kit/log.ts';
import type { Store } from '../store/records.ts';
import { Access } from './access.ts';
import { hashOf } from './secret.ts';
import { openTestStore } from './test-store.ts';

const log = createLog('silent');

async function withProject(store: Store) {
  const access = new Access({ store, log });
  const { id: projectId } = await access.ensureProject('default');
  return { access, projectId };
}

const refusal = { code: 'UNAUTHENTICATED', status: 401, headers: { 'www-authenticate': 'Bearer' } };

test('a key opens its own project with its own role', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  const made = await access.createKey(projectId, { name: 'a', role: 'member' });
  expect(await access.authenticate(`Bearer ${made.key}`)).toEqual({
    projectId,
    keyId: made.id,
    role: 'member',
  });
});

test('the name of the scheme may be written in any case', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  const { key } = await access.createKey(projectId, { name: 'a', role: 'member' });
  await expect(access.authenticate(`bEaReR ${key}`)).resolves.toMatchObject({ projectId });
});

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearer a b',
  'Bearer bd_é',
  `Bearer ${'a'.repeat(257)}`,
  'bd_abc',
  'Bearer bd_unknown',
])('the header %j is refused', async (header) => {
  await using opened = await openTestStore();
  const { access } = await withProject(opened.store);
  await expect(access.authenticate(header)).rejects.toMatchObject(refusal);
});

test('unknown, revoked and expired keys are refused with the same words', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  const revoked = await access.createKey(projectId, { name: 'a', role: 'member' });
  await access.revokeKey(projectId, revoked.id);
  const expired = await access.createKey(projectId, { name: 'b', role: 'member', expiresAt: Date.now() - 1 });
  const messages = await Promise.all(
    ['bd_unknown', revoked.key, expired.key].map((key) =>
      access.authenticate(`Bearer ${key}`).catch((error: Error) => error.message),
    ),
  );
  expect(new Set(messages).size).toBe(1);
});

test('the secret is in the answer to its creation and nowhere in the store', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  const made = await access.createKey(projectId, { name: 'a', role: 'member' });
  const [row] = await opened.store.keys.list({ limit: 10 });
  expect(row?.hash).toBe(hashOf(made.key));
  expect(JSON.stringify(row)).not.toContain(made.key);
  expect(JSON.stringify(await access.listKeys(projectId, { limit: 10 }))).not.toContain(made.key);
});

test('a list of keys is paged, nothing twice and nothing skipped', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  for (let i = 0; i < 7; i++) await access.createKey(projectId, { name: `key ${i}`, role: 'member' });
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await access.listKeys(projectId, { limit: 3, cursor });
    seen.push(...page.items.map(({ name }) => name));
    [cursor, more] = [page.nextCursor, page.hasMore];
    expect(cursor === undefined).toBe(!more);
  }
  expect(seen.sort()).toEqual(['key 0', 'key 1', 'key 2', 'key 3', 'key 4', 'key 5', 'key 6']);
});

test('keys of another project are neither listed nor revoked', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  const other = await access.ensureProject('other');
  const foreign = await access.createKey(other.id, { name: 'foreign', role: 'member' });
  expect((await access.listKeys(projectId, { limit: 10 })).items).toEqual([]);
  await expect(access.revokeKey(projectId, foreign.id)).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  await expect(access.authenticate(`Bearer ${foreign.key}`)).resolves.toBeDefined();
});

test('the last admin key of a project cannot be revoked, others can', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  const first = await access.createKey(projectId, { name: 'first', role: 'admin' });
  await expect(access.revokeKey(projectId, first.id)).rejects.toMatchObject({ code: 'LAST_ADMIN_KEY' });
  await access.createKey(projectId, { name: 'second', role: 'admin' });
  await expect(access.revokeKey(projectId, first.id)).resolves.toMatchObject({ id: first.id });
  await expect(access.revokeKey(projectId, newId('key'))).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
});

test('the use of a key is noted behind the answer, and not again within the minute', async () => {
  await using opened = await openTestStore();
  const { access, projectId } = await withProject(opened.store);
  const { key } = await access.createKey(projectId, { name: 'a', role: 'member' });
  const lastUsedAt = async () => (await access.listKeys(projectId, { limit: 1 })).items[0]?.lastUsedAt;
  expect(await lastUsedAt()).toBeUndefined();
  await access.authenticate(`Bearer ${key}`);
  await expect.poll(lastUsedAt).toBeDefined();
  const first = await lastUsedAt();
  let touches = 0;
  const { touch } = opened.store.keys;
  opened.store.keys.touch = async (...args) => {
    touches++;
    await touch(...args);
  };
  for (let i = 0; i < 20; i++) await access.authenticate(`Bearer ${key}`);
  await new Promise(setImmediate);
  expect(touches).toBe(0);
  expect(await lastUsedAt()).toBe(first);
});
