import { mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/records.ts';
import type { Api } from '../support/client.ts';
import { filesBelow, profileOf } from '../support/leaks.ts';
import { openPolicy, profileClient } from '../support/profile-client.ts';
import { eventually, makeFolders, spawnServer, startServer, untilStatus } from '../support/server.ts';
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
  const { body } = await api.call(
    'GET',
    `/v1/browsers/${id}/events?type=browser.ready,browser.recovered&limit=100`,
  );
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
    await eventually(
      () => second.api.get(id),
      ({ body }) => body.status === 'ready' && body.epoch > 1,
    );
    expect(await lost(second.api, id)).toContainEqual(
      expect.stringMatching(/^IndexedDB, caches and service workers changed after .* saved then, \d+ s ago$/),
    );
    expect(await profileClient(second.api, site).account(id)).toEqual(ann);
  });
});
