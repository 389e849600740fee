import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectHar } from '../support/har-schema.ts';
import { networkClient } from '../support/network-client.ts';
import { type NetworkSite, startNetworkSite } from '../support/network-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Enough on a machine that does much else. */
const patience = { timeout: 300_000 };

/** Pages that try to fill the log, or to hold up the service by what they make it read. */
let server: TestServer;
let site: NetworkSite;
beforeAll(async () => {
  site = await startNetworkSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test(
  'of a page that makes more requests than the log holds, the last thousand are kept',
  patience,
  async () => {
    const browser = await networkClient(server);
    await browser.visit(`${site.origin}/flood`, 'flooded');
    const seen = new Set<string>();
    for (let cursor = ''; ; ) {
      const { body } = await browser.list(`?limit=100${cursor && `&cursor=${cursor}`}`);
      for (const { id } of body.items) seen.add(id);
      if (!body.hasMore) break;
      cursor = body.nextCursor;
    }
    expect(seen.size).toBeLessThanOrEqual(1000);
    expect(seen.size).toBeGreaterThan(500);
    expectHar(await browser.har({ bodies: 'all' }));
    await server.api.remove(browser.id);
  },
);

test('a page that asks as fast as it can is logged again when it has come to rest', patience, async () => {
  const browser = await networkClient(server);
  await browser.visit(`${site.origin}/pours`, 'pours');
  const pour = `await page.evaluate(() => pour()); return page.evaluate(() => made)`;
  const { body } = await browser.execute(pour, { capture: { network: true } });
  const { dropped } = (await browser.list()).body;
  // How many come within a second is the machine's affair: recorder.test.ts counts those that are too many.
  expect(dropped).toBeLessThan(body.result);
  await vi.waitFor(
    async () => {
      await browser.resultOf(`return page.evaluate(() => fetch('/tiny?after').then(() => 1))`);
      const { items } = (await browser.list('?limit=20')).body;
      const found = items.find(({ url }: { url: string }) => url.endsWith('/tiny?after'));
      expect(found?.status).toBe(200);
    },
    { timeout: 90_000, interval: 200 },
  );
  await server.api.remove(browser.id);
});

test('addresses, headers and answers of ten million letters are cut, not read', patience, async () => {
  const browser = await networkClient(server);
  await browser.visit(`${site.origin}/long`, 'done');
  const { items } = (await browser.list('?limit=100')).body;
  for (const { url } of items) expect(url.length).toBeLessThanOrEqual(4096);
  const long = await browser.request('/tiny', ({ url }) => url.length > 4000);
  expect((await browser.detail(long.id)).body).toMatchObject({ headersCut: true, method: 'GET' });
  expect(items.some(({ url }: { url: string }) => url.startsWith('data:'))).toBe(false);
  await browser.resultOf(
    `return fetchLong().catch(() => 1); async function fetchLong() { await page.evaluate(() => fetch('/long-answer')) ; return 1 }`,
  );
  expect(await browser.request('/long-answer', ({ state }) => state !== 'pending')).toMatchObject({
    failure: { kind: expect.any(String) },
  });
  await server.api.remove(browser.id);
});

test('where the operator turned the log off, it is empty', async () => {
  await using quiet = await startServer({ BROWSERD_NETWORK_LOG: 'off' });
  const browser = await networkClient(quiet);
  await browser.visit(`${site.origin}/`, 'home');
  expect((await browser.list()).body).toEqual({
    items: [],
    limit: 20,
    hasMore: false,
    dropped: 0,
    log: 'off',
  });
  expectHar(await browser.har());
});
