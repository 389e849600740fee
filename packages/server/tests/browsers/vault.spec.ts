import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { filesBelow, profileOf } from '../support/leaks.ts';
import { openPolicy, profileClient } from '../support/profile-client.ts';
import {
  eventually,
  makeFolders,
  type Settings,
  spawnServer,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { type SharedStorage, shareStorage } from '../support/shared-storage.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';

let site: SignInSite;
beforeAll(async () => {
  site = await startSignInSite();
});
afterAll(() => site.close());

const ann = ['ann', 'local ann', 'indexed ann'];
const oftenSaved: Settings = { BROWSERD_VAULT_INTERVAL: '1s' };

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
const untilSaved = ({ store }: SharedStorage, id: string, at: number) =>
  eventually(
    () => store.browsers.get(id),
    (record) => (record?.vaultAt ?? 0) >= at,
  );

describe('a stopped browser', () => {
  let shared: SharedStorage;
  /** A machine that none of these browsers ever ran on. */
  let second: TestServer;
  let usual: string;
  let stoppedWhileAway: string;
  let forProfile: string;

  beforeAll(async () => {
    shared = await shareStorage();
    await using first = await startServer(await shared.node());
    [usual, stoppedWhileAway, forProfile] = await Promise.all([
      signedIn(first.api),
      signedIn(first.api),
      signedIn(first.api),
    ]);
    const stopped = await Promise.all([usual, forProfile].map((id) => first.api.stop(id)));
    for (const { body } of stopped) expect(body).toMatchObject({ status: 'stopped' });
    const giveBack = await shared.takeAway();
    expect((await first.api.stop(stoppedWhileAway)).body).toMatchObject({ status: 'stopped' });
    const record = await shared.store.browsers.get(stoppedWhileAway);
    expect(record?.vault).toBeNull();
    await giveBack();
    await untilSaved(shared, stoppedWhileAway, record?.stoppedAt ?? Number.POSITIVE_INFINITY);
  });
  beforeAll(async () => {
    second = await startServer(await shared.node());
  });
  afterAll(async () => {
    await second[Symbol.asyncDispose]();
    await shared[Symbol.asyncDispose]();
  });

  test('comes back on another machine with cookies, local storage and IndexedDB, and closed leaves nothing', async () => {
    const packed = await packedIn(shared);
    expect((await second.api.resume(usual)).body).toMatchObject({ status: 'ready' });
    expect(await lost(second.api, usual)).toEqual([]);
    expect(await profileClient(second.api, site).account(usual)).toEqual(ann);
    await second.api.remove(usual);
    expect(await packedIn(shared)).toHaveLength(packed.length - 1);
  });

  test('stays stopped while the shared storage is away, and has all it had when that is back', async () => {
    const giveBack = await shared.takeAway();
    expect(await second.api.resume(stoppedWhileAway)).toMatchObject({
      status: 503,
      body: { error: { code: 'STORE_UNAVAILABLE' } },
    });
    expect((await second.api.get(stoppedWhileAway)).body).toMatchObject({ status: 'stopped' });
    await giveBack();
    expect((await second.api.resume(stoppedWhileAway)).body).toMatchObject({ status: 'ready' });
    expect(await lost(second.api, stoppedWhileAway)).toEqual([]);
    expect(await profileClient(second.api, site).account(stoppedWhileAway)).toEqual(ann);
  });

  test('gives a profile its IndexedDB on a machine that it never ran on', async () => {
    const client = profileClient(second.api, site);
    const { body: profile } = await client.create({ browserId: forProfile });
    expect(await client.account(await client.browser({ id: profile.id }))).toEqual(ann);
  });
});

describe('a running browser', () => {
  let shared: SharedStorage;
  /** The machine that is not lost. */
  let second: TestServer;

  beforeAll(async () => {
    shared = await shareStorage();
    second = await startServer(await shared.node(oftenSaved));
  });
  afterAll(async () => {
    await second[Symbol.asyncDispose]();
    await shared[Symbol.asyncDispose]();
  });

  /** One whose machine is lost with all that is on it, once its profile was saved. */
  async function onLostMachine(signal: AbortSignal, beforeLoss = async () => {}): Promise<string> {
    await using folders = await makeFolders(await shared.node(oftenSaved));
    const machine = await spawnServer(folders.env, signal);
    const id = await signedIn(machine.api);
    const signedInAt = Date.now();
    // Another change of what its pages keep, so that it is saved after the sign-in for certain.
    await profileClient(machine.api, site).count(id);
    await untilSaved(shared, id, signedInAt);
    await beforeLoss();
    machine.child.kill('SIGKILL');
    await machine.exited;
    return id;
  }

  const untilRecovered = (id: string) =>
    eventually(
      () => second.api.get(id),
      ({ body }) => body.status === 'ready' && body.epoch > 1,
    );

  test('survives the loss of its machine with the IndexedDB of the last time it was saved', async ({
    signal,
  }) => {
    const id = await onLostMachine(signal);
    await untilRecovered(id);
    expect(await lost(second.api, id)).toContainEqual(
      expect.stringMatching(/^IndexedDB, caches and service workers changed after .* saved then, .* ago$/),
    );
    expect(await profileClient(second.api, site).account(id)).toEqual(ann);
  });

  test('comes back with its checkpoint when the shared storage is away as well, and says so', async ({
    signal,
  }) => {
    let giveBack = async () => {};
    const id = await onLostMachine(signal, async () => {
      giveBack = await shared.takeAway();
    });
    await untilRecovered(id);
    expect(await lost(second.api, id)).toContain(
      'IndexedDB, caches and service workers: the saved profile could not be used: the shared storage cannot be read',
    );
    expect(await profileClient(second.api, site).account(id)).toEqual(['ann', 'local ann', null]);
    await giveBack();
  });

  test('with a large profile is not saved while it runs, and its owner is told', async () => {
    const { body } = await second.api.create();
    const folder = join(profileOf(second.scratchDir, body.id), 'Default', 'IndexedDB');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'large'), '');
    await truncate(join(folder, 'large'), 65 * 1024 ** 2);
    const told = await eventually(
      async () => (await second.api.call('GET', `/v1/browsers/${body.id}/events?type=browser.limited`)).body,
      ({ items }) => items.length > 0,
    );
    expect(told.items[0].data).toMatchObject({
      limit: 'profile',
      message: expect.stringContaining('up to 64 MiB'),
    });
  });
});
