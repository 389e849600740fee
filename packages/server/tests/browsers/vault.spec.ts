import { mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/records.ts';
import type { Api } from '../support/client.ts';
import { filesBelow, profileOf } from '../support/leaks.ts';
import { openPolicy, profileClient } from '../support/profile-client.ts';
import { eventually, makeFolders, spawnServer, startServer } from '../support/server.ts';
import { type SharedStorage, shareStorage } from '../support/shared-storage.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';

let site: SignInSite;
beforeAll(async () => {
  site = await startSignInSite();
});
afterAll(() => site.close());

const ann = ['ann', 'local ann', 'indexed ann'];

/** Its tab shows the account: that page can be loaded again without signing in anew. */
async function signedIn(api: Api): Promise<string> {
  const { body } = await api.create(openPolicy);
  const client = profileClient(api, site);
  await client.signIn(body.id, 'ann');
  expect(await client.account(body.id)).toEqual(ann);
  return body.id;
}

/** What its last start could not bring back. */
async function lost(api: Api, id: string): Promise<string[]> {
  const types = 'browser.ready,browser.recovered';
  const { body } = await api.call('GET', `/v1/browsers/${id}/events?type=${types}&limit=100`);
  const starts = body.items.filter(({ data }: { data: { lost?: string[] } }) => data.lost);
  return starts.at(-1).data.lost;
}

const packedIn = async ({ blobs }: SharedStorage): Promise<string[]> =>
  (await filesBelow(blobs)).filter((name) => name.startsWith('vault_'));

/** Until its profile is saved as it was at this moment or later. */
const untilSaved = (store: Store, id: string, at: number) =>
  eventually(
    () => store.browsers.get(id),
    (record) => (record?.vaultAt ?? 0) >= at,
  );

const untilRecovered = (api: Api, id: string) =>
  eventually(
    () => api.get(id),
    ({ body }) => body.status === 'ready' && body.epoch > 1,
  );

/** A file stands where the folder was, as a network drive that lost its server. */
async function takeAway({ blobs }: SharedStorage): Promise<() => Promise<void>> {
  await rename(blobs, `${blobs}-away`);
  await writeFile(blobs, 'no folder');
  return async () => {
    await rm(blobs);
    await rename(`${blobs}-away`, blobs);
  };
}

describe('a stopped browser', () => {
  test('comes back on another machine with cookies, local storage and IndexedDB, and closed leaves nothing', async () => {
    await using shared = await shareStorage();
    let id: string;
    {
      await using first = await startServer(await shared.node());
      id = await signedIn(first.api);
      expect((await first.api.stop(id)).body.status).toBe('stopped');
    }
    expect(await packedIn(shared)).toHaveLength(1);
    await using second = await startServer(await shared.node());
    expect((await second.api.resume(id)).body.status).toBe('ready');
    expect(await lost(second.api, id)).toEqual([]);
    expect(await profileClient(second.api, site).account(id)).toEqual(ann);
    await second.api.remove(id);
    expect(await packedIn(shared)).toEqual([]);
  });

  test('stops while the shared storage is away, follows later, and is not resumed without its profile', async () => {
    await using shared = await shareStorage();
    const store = await shared.open();
    let id: string;
    {
      await using first = await startServer(await shared.node());
      id = await signedIn(first.api);
      const giveBack = await takeAway(shared);
      expect((await first.api.stop(id)).body.status).toBe('stopped');
      const record = await store.browsers.get(id);
      expect(record?.vault).toBeNull();
      await giveBack();
      await untilSaved(store, id, record?.stoppedAt ?? Number.POSITIVE_INFINITY);
    }
    await using second = await startServer(await shared.node());
    const giveBack = await takeAway(shared);
    expect(await second.api.resume(id)).toMatchObject({
      status: 503,
      body: { error: { code: 'STORE_UNAVAILABLE' } },
    });
    expect((await second.api.get(id)).body.status).toBe('stopped');
    await giveBack();
    expect((await second.api.resume(id)).body.status).toBe('ready');
    expect(await lost(second.api, id)).toEqual([]);
    expect(await profileClient(second.api, site).account(id)).toEqual(ann);
  });

  test('gives a profile its IndexedDB on a machine that it never ran on', async () => {
    await using shared = await shareStorage();
    let id: string;
    {
      await using first = await startServer(await shared.node());
      id = await signedIn(first.api);
      await first.api.stop(id);
    }
    await using second = await startServer(await shared.node());
    const client = profileClient(second.api, site);
    const { body: profile } = await client.create({ browserId: id });
    expect(await client.account(await client.browser({ id: profile.id }))).toEqual(ann);
  });
});

describe('a running browser', () => {
  test('survives the loss of its machine with the IndexedDB of the last time it was saved', async ({
    signal,
  }) => {
    await using shared = await shareStorage();
    const store = await shared.open();
    let id: string;
    {
      await using folders = await makeFolders(await shared.node({ BROWSERD_VAULT_INTERVAL: '1s' }));
      const first = await spawnServer(folders.env, signal);
      id = await signedIn(first.api);
      const signedInAt = Date.now();
      // Another change of what its pages keep, so that it is saved after the sign-in for certain.
      await profileClient(first.api, site).count(id);
      await untilSaved(store, id, signedInAt);
      first.child.kill('SIGKILL');
      await first.exited;
    }
    await using second = await startServer(await shared.node());
    await untilRecovered(second.api, id);
    expect(await lost(second.api, id)).toContainEqual(
      expect.stringMatching(/^IndexedDB, caches and service workers changed after .* saved then, .* ago$/),
    );
    expect(await profileClient(second.api, site).account(id)).toEqual(ann);
  });

  test('comes back with its checkpoint when its machine is lost and the shared storage is away, and says so', async ({
    signal,
  }) => {
    await using shared = await shareStorage();
    const store = await shared.open();
    await using folders = await makeFolders(await shared.node({ BROWSERD_VAULT_INTERVAL: '1s' }));
    const first = await spawnServer(folders.env, signal);
    const id = await signedIn(first.api);
    const signedInAt = Date.now();
    await profileClient(first.api, site).count(id);
    await untilSaved(store, id, signedInAt);
    await using second = await startServer(await shared.node());
    const giveBack = await takeAway(shared);
    first.child.kill('SIGKILL');
    await first.exited;
    await untilRecovered(second.api, id);
    expect(await lost(second.api, id)).toContain(
      'IndexedDB, caches and service workers: the saved profile could not be used: the shared storage cannot be read',
    );
    expect(await profileClient(second.api, site).account(id)).toEqual(['ann', 'local ann', null]);
    await giveBack();
  });

  test('with a large profile is not saved while it runs, and its owner is told', async () => {
    await using shared = await shareStorage();
    await using server = await startServer(await shared.node({ BROWSERD_VAULT_INTERVAL: '200ms' }));
    const { body } = await server.api.create();
    const folder = join(profileOf(server.scratchDir, body.id), 'Default', 'IndexedDB');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'large'), '');
    await truncate(join(folder, 'large'), 65 * 1024 ** 2);
    const told = await eventually(
      async () =>
        (await server.api.call('GET', `/v1/browsers/${body.id}/events?type=browser.limited`)).body.items,
      (items) => items.length > 0,
    );
    expect(told[0].data).toMatchObject({
      limit: 'profile',
      message: expect.stringContaining('up to 64 MiB'),
    });
  });
});
