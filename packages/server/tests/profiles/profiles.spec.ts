import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../src/store/records.ts';
import { filesBelow } from '../support/leaks.ts';
import { openPolicy, type ProfileClient, profileClient } from '../support/profile-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';
import { withStore } from '../support/stored.ts';

let server: TestServer;
let site: SignInSite;
let client: ProfileClient;
beforeAll(async () => {
  site = await startSignInSite();
  server = await startServer({ BROWSERD_PROFILE_VERSIONS: '3' });
  client = profileClient(server.api, site);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const ann = ['ann', 'local ann', 'indexed ann'];

test('a browser that closes saves its sign-in: session cookie, local storage and IndexedDB are there in the next one, and one in ten copies does not change it', async () => {
  const { api } = server;
  const { body: profile, status, headers } = await client.create({ name: 'shop', metadata: { team: 'red' } });
  expect({ status, location: headers.get('location') }).toEqual({
    status: 201,
    location: `/v1/profiles/${profile.id}`,
  });
  expect(profile).toMatchObject({ name: 'shop', version: 0, cookieCount: 0, size: 0 });

  const writer = await client.browser({ name: 'shop', save: 'close' });
  expect((await api.get(writer)).body.profile).toEqual({
    id: profile.id,
    name: 'shop',
    save: 'close',
    version: 0,
  });
  expect((await client.get(profile.id)).body.writer).toBe(writer);
  await client.signIn(writer, 'ann');
  const closed = await api.remove(writer);
  expect(closed.body.receipt.profile).toEqual({ id: profile.id, version: 1 });
  const saved = (await client.get(profile.id)).body;
  expect(saved).toMatchObject({ version: 1, cookieCount: 1, cookieDomains: ['127.0.0.1'], origins: 1 });
  expect(saved.writer).toBeUndefined();
  expect(saved.size).toBeGreaterThan(0);

  const readers = await Promise.all([1, 2].map(() => client.browser({ id: profile.id })));
  for (const reader of readers) expect(await client.account(reader)).toEqual(ann);
  await client.signIn(readers[0] as string, 'eve');
  expect(await client.account(readers[1] as string)).toEqual(ann);
  await Promise.all(readers.map((reader) => api.remove(reader)));
  expect((await client.get(profile.id)).body.version).toBe(1);
});

test('a second writer is refused by name of the first, and waits for it when it asks to', async () => {
  const { api } = server;
  const { body: profile } = await client.create();
  const first = await client.browser({ id: profile.id, save: 'close' });
  const wish = { ...openPolicy, profile: { id: profile.id, save: 'always' } };
  const refused = await api.create(wish);
  expect(refused.status).toBe(409);
  expect(refused.body.error).toMatchObject({
    code: 'PROFILE_IN_USE',
    nextStep: 'wait',
    details: { browserId: first, profileId: profile.id },
  });
  expect((await client.remove(profile.id)).body.error.code).toBe('PROFILE_IN_USE');
  const waiting = api.create(wish, { prefer: 'wait=300' });
  await client.signIn(first, 'ann');
  await api.remove(first);
  const { status, body: second } = await waiting;
  expect(status).toBe(201);
  expect(second.profile.version).toBe(1);
  expect(await client.account(second.id)).toEqual(ann);
  await api.remove(second.id);
});

test('a stopped browser has saved and still holds its profile; resumed it saves again', async () => {
  const { api } = server;
  const { body: profile } = await client.create();
  const browser = await client.browser({ id: profile.id, save: 'close' });
  await client.signIn(browser, 'ann');
  await api.stop(browser);
  expect((await client.get(profile.id)).body).toMatchObject({ version: 1, writer: browser });
  expect((await api.create({ profile: { id: profile.id, save: 'close' } })).status).toBe(409);
  const reader = await client.browser({ id: profile.id });
  expect(await client.account(reader)).toEqual(ann);
  await api.resume(browser);
  await client.count(browser);
  expect((await api.remove(browser)).body.receipt.profile).toEqual({ id: profile.id, version: 2 });
  const { body: versions } = await client.versions(profile.id);
  expect(versions.items.map(({ version, source, browserId }: never) => [version, source, browserId])).toEqual(
    [
      [2, 'browser', browser],
      [1, 'browser', browser],
    ],
  );
  await api.remove(reader);
});

test('a profile without IndexedDB is put into a warm Chromium, a writer of it keeps what it had', async () => {
  const { api } = server;
  const { body: profile } = await client.create();
  const writer = await client.browser({ id: profile.id, save: 'close' });
  await client.signIn(writer, 'bob', 'light');
  await api.remove(writer);
  const reader = await client.browser({ id: profile.id });
  // Local storage is put in behind the answer, in a page that is never seen; the first visit waits for it.
  const tabs = async () => (await api.status(reader)).body.tabs.map(({ url }: { url: string }) => url);
  expect(await tabs()).toEqual(['about:blank']);
  expect(await client.account(reader)).toEqual(['bob', 'local bob', null]);
  const code = 'return context.pages().length';
  const { body } = await api.call('POST', `/v1/browsers/${reader}/script/execute`, { body: { code } });
  expect(body.result).toBe(1);
  expect(await tabs()).toEqual([`${site.origin}/account`]);
  const lightOf = (store: Store) => store.profiles.version(profile.id, 1);
  expect(await withStore(server.dataDir, lightOf)).toMatchObject({ light: 1, origins: 1, cookieCount: 1 });
  await api.remove(reader);
  const again = await client.browser({ id: profile.id, save: 'close' });
  expect(await client.account(again)).toEqual(['bob', 'local bob', null]);
  await api.remove(again);
});

test('quick actions read pages behind a sign-in, with IndexedDB and without, and change nothing', async () => {
  const { api } = server;
  for (const [page, tokens] of [
    ['login', '["local ann","indexed ann"]'],
    ['light', '["local ann",null]'],
  ] as const) {
    const { body: profile } = await client.create();
    const writer = await client.browser({ id: profile.id, save: 'close' });
    await client.signIn(writer, 'ann', page);
    await api.remove(writer);
    const scrape = {
      ...openPolicy,
      profile: { id: profile.id },
      url: `${site.origin}/account`,
      extract: { user: { selector: '#user' }, tokens: { selector: '#tokens' } },
    };
    const scraped = await api.call('POST', '/v1/scrape', { body: scrape });
    expect(scraped.body.data).toEqual({ user: 'ann', tokens });
    expect((await client.get(profile.id)).body.version).toBe(1);
  }
  const unknown = await api.call('POST', '/v1/scrape', {
    body: { url: site.origin, profile: { name: 'none' } },
  });
  expect(unknown.body.error.code).toBe('PROFILE_NOT_FOUND');
});

test('as many versions are kept as the operator says, and an earlier one comes back as the newest', async () => {
  const { api } = server;
  const { body: profile } = await client.create();
  for (let n = 1; n <= 4; n++) {
    const browser = await client.browser({ id: profile.id, save: 'close' });
    expect(await client.count(browser)).toBe(n);
    await api.remove(browser);
  }
  const { body } = await client.versions(profile.id);
  expect(body.items.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2]);
  const restore = (version: number) =>
    api.call('POST', `/v1/profiles/${profile.id}/restore`, { body: { version } });
  expect((await restore(1)).body.error.code).toBe('PROFILE_VERSION_NOT_FOUND');
  expect((await restore(3)).body).toMatchObject({ version: 5 });
  const reader = await client.browser({ id: profile.id });
  expect(await client.count(reader)).toBe(4);
  await api.remove(reader);
});

test('nothing of a deleted profile stays on the disk, and a repeated delete answers the same', async () => {
  const { api } = server;
  const [profile] = (await api.call('GET', '/v1/profiles?name=shop')).body.items;
  const reader = await client.browser({ id: profile.id });
  await api.remove(reader);
  const before = await filesBelow(server.dataDir);
  expect(before.some((name) => name.startsWith('version_'))).toBe(true);
  const headers = { 'idempotency-key': 'delete it once' };
  const first = await api.call('DELETE', `/v1/profiles/${profile.id}`, { headers });
  expect(first.body).toEqual({ id: profile.id, deleted: true });
  const again = await api.call('DELETE', `/v1/profiles/${profile.id}`, { headers });
  expect(again.body).toEqual(first.body);
  expect((await client.get(profile.id)).body.error.code).toBe('PROFILE_NOT_FOUND');
  const { body: page } = await api.call('GET', '/v1/profiles?limit=100');
  const kept = new Set(await filesBelow(server.dataDir));
  const versions = [...kept].filter((name) => name.startsWith('version_'));
  const listed = await Promise.all(page.items.map(({ id }: { id: string }) => client.versions(id)));
  expect(versions).toHaveLength(listed.flatMap(({ body }) => body.items).length);
});
