import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPolicy, profileClient } from '../support/profile-client.ts';
import { startServer } from '../support/server.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';

let site: SignInSite;
beforeAll(async () => {
  site = await startSignInSite();
});
afterAll(() => site.close());

test('twenty readers and a writer at once: each reader has the version it began with, the writer alone makes the next', async () => {
  await using server = await startServer();
  const { api } = server;
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
    Promise.all(Array.from({ length: 4 }, () => client.browser({ name: 'shop' }))),
    Promise.all(
      Array.from({ length: 16 }, () =>
        api.call('POST', '/v1/scrape', { body: scrape, headers: { prefer: 'wait=60' } }),
      ),
    ),
    client.signIn(writer, 'bob', 'light'),
  ]);
  expect(scraped.map(({ body }) => body.data?.user)).toEqual(Array.from({ length: 16 }, () => 'ann'));
  const [closed, ...seen] = await Promise.all([
    api.remove(writer),
    ...readers.map((reader) => client.account(reader)),
  ]);
  expect(seen).toEqual(readers.map(() => ['ann', 'local ann', null]));
  expect(closed.body.receipt.profile).toEqual({ id: profile.id, version: 2 });
  await Promise.all(readers.map((reader) => api.remove(reader)));
  expect((await client.get(profile.id)).body.version).toBe(2);
  const last = await client.browser({ name: 'shop' });
  expect(await client.account(last)).toEqual(['bob', 'local bob', null]);
  await api.remove(last);
});
