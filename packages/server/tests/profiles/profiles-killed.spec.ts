import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { chromiumOf, filesBelow, profileOf } from '../support/leaks.ts';
import { createDatabase } from '../support/postgres.ts';
import { type ProfileClient, profileClient, untilVersion } from '../support/profile-client.ts';
import { eventually, makeFolders, type ServerProcess, spawnServer, startServer } from '../support/server.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';
import { savedItems } from '../support/stored.ts';

/** How often each is killed; a job of its own sets it to 20. */
const kills = Number(process.env.PROFILE_KILLS ?? 1);

let site: SignInSite;
beforeAll(async () => {
  site = await startSignInSite();
});
afterAll(() => site.close());

const untilSaved = (where: Parameters<typeof savedItems>[0], browser: string, count: number) =>
  eventually(
    () => savedItems(where, browser, site.origin),
    (items) => items.count === String(count),
  );

const ann = ['ann', 'local ann', 'indexed ann'];

/** Every version that is listed can be used, and nothing else lies beside them. */
async function expectWhole(client: ProfileClient, api: ServerProcess['api'], id: string, dataDir: string) {
  const { body } = await client.versions(id);
  // The oldest first: each one that is restored takes the place of the oldest.
  for (const { version } of body.items.toReversed()) {
    const restored = await api.call('POST', `/v1/profiles/${id}/restore`, { body: { version } });
    expect({ version, status: restored.status }).toEqual({ version, status: 200 });
  }
  const kept = (await client.versions(id)).body.items.length;
  await eventually(
    async () => (await filesBelow(dataDir)).filter((name) => name.startsWith('version_')).length,
    (files) => files === kept,
  );
}

test('Chromium is killed while it is being saved: the profile has what the last checkpoint had', async () => {
  await using server = await startServer({ BROWSERD_CHECKPOINT_INTERVAL: '50ms' });
  const { api, scratchDir, dataDir } = server;
  const client = profileClient(api, site);
  const { body: profile } = await client.create();
  for (let n = 1; n <= kills; n++) {
    const browser = await client.browser({ id: profile.id, save: 'close' });
    await client.signIn(browser, 'ann');
    expect(await client.count(browser)).toBe(n);
    await untilSaved({ dataDir }, browser, n);
    const [pid] = chromiumOf(profileOf(scratchDir, browser));
    const closing = api.remove(browser);
    await new Promise((resolve) => setTimeout(resolve, (n % 5) * 8));
    process.kill(pid as number, 'SIGKILL');
    expect((await closing).body.receipt.profile).toMatchObject({ version: n });
    const reader = await client.browser({ id: profile.id });
    expect(await client.account(reader)).toEqual(ann);
    expect(await client.count(reader)).toBe(n + 1);
    await api.remove(reader);
  }
  await expectWhole(client, api, profile.id, dataDir);
});

describe.each(databases)('the service is killed, with %s', (kind) => {
  test('while it saves: the next start finishes it, no version is broken, nothing is left over', async ({
    signal,
  }) => {
    const url = kind === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
    const folders = await makeFolders({
      BROWSERD_CHECKPOINT_INTERVAL: '50ms',
      BROWSERD_DATABASE_URL: url,
    });
    const { env, dataDir } = folders;
    let server = await spawnServer(env, signal);
    // Also of a test that fails or takes too long, no service is left; the signal refuses the next start.
    onTestFinished(async () => {
      server.child.kill('SIGTERM');
      await server.exited;
      await folders[Symbol.asyncDispose]();
    });
    let client = profileClient(server.api, site);
    const { body: profile } = await client.create();
    for (let n = 1; n <= kills; n++) {
      const browser = await client.browser({ id: profile.id, save: 'close' });
      await client.signIn(browser, 'ann');
      expect(await client.count(browser)).toBe(n);
      await untilSaved({ dataDir, databaseUrl: url }, browser, n);
      const closing = server.api.remove(browser).catch(() => undefined);
      await eventually(
        async () => (await server.api.get(browser)).body.status,
        (status) => status !== 'ready',
      );
      await new Promise((resolve) => setTimeout(resolve, (n % 7) * 10));
      server.child.kill('SIGKILL');
      await Promise.all([server.exited, closing]);
      server = await spawnServer(env, signal);
      client = profileClient(server.api, site);
      await untilVersion(client, profile.id, n);
      await eventually(
        () => client.get(profile.id),
        ({ body }) => body.writer === undefined,
      );
      const reader = await client.browser({ id: profile.id });
      expect(await client.account(reader)).toEqual(ann);
      expect(await client.count(reader)).toBe(n + 1);
      await server.api.remove(reader);
    }
    await expectWhole(client, server.api, profile.id, dataDir);
  });
});

test('a browser that always saves has a version while it runs, keeps its profile over a crash, and frees it when it is closed', async () => {
  await using server = await startServer({
    BROWSERD_CHECKPOINT_INTERVAL: '50ms',
    BROWSERD_PROFILE_INTERVAL: '100ms',
  });
  const { api, scratchDir } = server;
  const client = profileClient(api, site);
  const { body: profile } = await client.create();
  const writer = await client.browser({ id: profile.id, save: 'always' });
  await client.signIn(writer, 'ann', 'light');
  await eventually(
    () => client.get(profile.id),
    ({ body }) => body.cookieCount === 1 && body.origins === 1,
  );
  const { body: versions } = await client.versions(profile.id);
  expect(versions.items[0]).toMatchObject({ source: 'checkpoint', browserId: writer });
  const reader = await client.browser({ id: profile.id });
  expect(await client.account(reader)).toEqual(['ann', 'local ann', null]);
  await api.remove(reader);

  process.kill(chromiumOf(profileOf(scratchDir, writer))[0] as number, 'SIGKILL');
  await eventually(
    () => api.get(writer),
    ({ body }) => body.status === 'ready' && body.epoch === 2,
  );
  expect((await client.get(profile.id)).body.writer).toBe(writer);
  const { version } = (await client.get(profile.id)).body;
  const { body: closed } = await api.remove(writer);
  expect(closed.receipt.profile.version).toBeGreaterThan(version);
  expect((await client.get(profile.id)).body.writer).toBeUndefined();
});
