import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumOf, profileOf } from '../support/leaks.ts';
import { openPolicy, profileClient } from '../support/profile-client.ts';
import { startServer } from '../support/server.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';

let site: SignInSite;
beforeAll(async () => {
  site = await startSignInSite();
});
afterAll(() => site.close());

const readerCount = 20;
/** Quick actions that read beside them. */
const quickCount = 4;

test('twenty readers and a writer at once: each reader has the version it began with, the writer alone makes the next', async () => {
  await using server = await startServer({ BROWSERD_MAX_BROWSERS: String(readerCount + quickCount + 1) });
  const { api, scratchDir } = server;
  const client = profileClient(api, site);
  const { body: profile } = await client.create({ name: 'shop' });
  const first = await client.browser({ name: 'shop', save: 'close' });
  await client.signIn(first, 'ann', 'light');
  await api.remove(first);

  const writer = await client.browser({ name: 'shop', save: 'close' });
  const scrape = {
    ...openPolicy,
    profile: { name: 'shop' },
    url: `${site.origin}/account`,
    extract: { user: { selector: '#user' } },
  };
  const [readers, scraped] = await Promise.all([
    Promise.all(Array.from({ length: readerCount }, () => client.browser({ name: 'shop' }))),
    Promise.all(
      Array.from({ length: quickCount }, () =>
        api.call('POST', '/v1/scrape', { body: scrape, headers: { prefer: 'wait=300' } }),
      ),
    ),
    client.signIn(writer, 'bob', 'light'),
  ]);
  expect(scraped.map(({ body }) => body.data?.user)).toEqual(Array.from({ length: quickCount }, () => 'ann'));
  // All of them are alive: a Chromium for each, in a folder of its own.
  const pids = [writer, ...readers].flatMap((browser) => chromiumOf(profileOf(scratchDir, browser)));
  expect(new Set(pids).size).toBe(readerCount + 1);

  // They look while the writer saves, and once more when its version is there.
  const look = () => Promise.all(readers.map((reader) => client.account(reader)));
  const old = readers.map(() => ['ann', 'local ann', null]);
  const [closed, seen] = await Promise.all([api.remove(writer), look()]);
  expect(seen).toEqual(old);
  expect(closed.body.receipt.profile).toEqual({ id: profile.id, version: 2 });
  expect(await look()).toEqual(old);
  const last = await client.browser({ name: 'shop' });
  expect(await client.account(last)).toEqual(['bob', 'local bob', null]);
  await Promise.all([...readers, last].map((reader) => api.remove(reader)));
  expect((await client.get(profile.id)).body.version).toBe(2);
}, 400_000);
