import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectWithKey, keyHeader, socketUrl } from '../support/cdp-client.ts';
import { type CredentialSite, startCredentialSite } from '../support/credential-site.ts';
import { filesWith } from '../support/files-with.ts';
import { chromiumOf, profileOf } from '../support/leaks.ts';
import { scriptClient } from '../support/script-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const username = 'ada';
const password = 'xyzzy-open-sesame';
const basic = Buffer.from(`${username}:${password}`).toString('base64');

let server: TestServer;
let other: CredentialSite;
let vault: CredentialSite;
let plain: Site;

beforeAll(async () => {
  other = await startCredentialSite({ username: 'else', password: 'else' });
  vault = await startCredentialSite({ username, password }, `${other.origin}/arrived`);
  plain = await startSite({
    '/frames-vault': `<!doctype html><title>frames</title><iframe src="${vault.origin}/framed"></iframe>`,
  });
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([vault.close(), other.close(), plain.close()]);
});

const open = { policy: { privateAccess: { localhost: true } } };
const credentials = () => [{ origin: vault.origin, username, password }];
const titleAt = (url: string): string => `await page.goto('${url}'); return page.title()`;

describe.each(['shell', 'full'] as const)('with the engine %s', (engine) => {
  test('pages, frames and workers are let in by Basic and by Digest, also after a resume', async () => {
    const { api } = server;
    const { body: browser } = await api.create({
      ...open,
      engine,
      httpCredentials: [{ origin: `${vault.origin}/`, username, password }],
      startUrl: `${vault.origin}/first`,
    });
    expect(browser.startPage).toEqual({ state: 'loaded' });
    expect(browser.httpCredentials).toEqual([{ origin: vault.origin, username }]);
    const { resultOf } = scriptClient(server, browser.id);
    expect(await resultOf('return page.title()')).toBe('let in to /first');
    expect(await resultOf(titleAt(`${vault.origin}/digest`))).toBe('let in to /digest');
    const workerStatus = `return page.evaluate(() => new Promise((resolve) => {
      new Worker('/worker.js').onmessage = ({ data }) => resolve(data); }))`;
    expect(await resultOf(workerStatus)).toBe(200);

    await api.stop(browser.id);
    await api.resume(browser.id);
    const framed = `await page.goto('${plain.origin}/frames-vault');
      return page.frameLocator('iframe').locator('h1').innerText()`;
    expect(await resultOf(framed)).toBe('let in to /framed');
    const popup = `const [tab] = await Promise.all([page.waitForEvent('popup'),
      page.evaluate(() => void open('${vault.origin}/popup'))]); await tab.waitForLoadState(); return tab.title()`;
    expect(await resultOf(popup)).toBe('let in to /popup');
    await api.remove(browser.id);
  });

  test('a wrong password shows the page of the 401, after one try', async () => {
    const { api } = server;
    const wrong = [{ origin: vault.origin, username, password: 'wrong' }];
    const { body: browser } = await api.create({ ...open, engine, httpCredentials: wrong });
    const { resultOf } = scriptClient(server, browser.id);
    for (const path of [`/wrong-${engine}`, `/digest/wrong-${engine}`]) {
      expect(
        await resultOf(
          `const answer = await page.goto('${vault.origin}${path}'); return [answer.status(), await page.title()]`,
        ),
      ).toEqual([401, 'not let in']);
      expect(vault.asked.filter((each) => each.path === path).length).toBeLessThanOrEqual(2);
    }

    const { body: changed } = await api.patch(browser.id, { httpCredentials: credentials() });
    expect(changed.httpCredentials).toEqual([{ origin: vault.origin, username }]);
    expect(await resultOf(titleAt(`${vault.origin}/right`))).toBe('let in to /right');
    const { body: none } = await api.patch(browser.id, { httpCredentials: null });
    expect(none).not.toHaveProperty('httpCredentials');
    await api.remove(browser.id);
  });

  test('what Chromium has sent to a site it goes on sending there until the browser is stopped', async () => {
    const { api } = server;
    const { body: browser } = await api.create({ ...open, engine, httpCredentials: credentials() });
    const { resultOf } = scriptClient(server, browser.id);
    const statusAt = (path: string) =>
      resultOf(`return (await page.goto('${vault.origin}${path}')).status()`);
    expect(await statusAt(`/before-${engine}`)).toBe(200);
    await api.patch(browser.id, { httpCredentials: null });
    expect(await statusAt(`/after-${engine}`)).toBe(200);
    await api.stop(browser.id);
    await api.resume(browser.id);
    await resultOf(`await page.goto('${vault.origin}/resumed-${engine}').catch(() => undefined); return 1`);
    const resumed = vault.asked.filter(({ path }) => path === `/resumed-${engine}`);
    expect(resumed.length).toBeGreaterThan(0);
    expect(resumed.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    await api.remove(browser.id);
  });

  test('a script that holds requests is let in too, and does not see what was sent', async () => {
    const { api } = server;
    const { body: browser } = await api.create({ ...open, engine, httpCredentials: credentials() });
    const { resultOf } = scriptClient(server, browser.id);
    const routed = `await page.route('**/*', (route) => route.continue());
      const answer = await page.goto('${vault.origin}/routed');
      await page.unroute('**/*');
      const again = await page.goto('${vault.origin}/again');
      return [answer.status(), again.status(), (await again.request().allHeaders()).authorization]`;
    expect(await resultOf(routed)).toEqual([200, 200, '•••']);
    expect(vault.asked.find(({ path }) => path === '/again')?.authorization).toBe(`Basic ${basic}`);
    await api.remove(browser.id);
  });
});

test('credentials go to their origin alone, and into no answer, event, log or file', async () => {
  const { api } = server;
  const { body: browser } = await api.create({ ...open, httpCredentials: credentials() });
  const { execute, resultOf } = scriptClient(server, browser.id);
  await resultOf(titleAt(`${vault.origin}/home`));
  await execute(`await page.goto('${vault.origin}/leave').catch(() => {}); return page.title()`);
  await execute(titleAt(`${vault.origin.replace('127.0.0.1', 'localhost')}/same-port`));
  await execute(titleAt(`${other.origin}/direct`));
  expect(other.asked.map(({ path }) => path)).toEqual(expect.arrayContaining(['/arrived', '/direct']));
  expect(other.asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  const sameHost = vault.asked.filter(({ path }) => path === '/same-port');
  expect(sameHost.map(({ authorization }) => authorization)).toEqual(sameHost.map(() => undefined));

  const seen = await Promise.all([
    api.get(browser.id),
    api.call('GET', '/v1/browsers'),
    api.call('GET', `/v1/browsers/${browser.id}/events`),
    api.patch(browser.id, { name: 'vault' }),
  ]);
  const text = JSON.stringify(seen.map(({ body }) => body));
  expect(text).toContain(vault.origin);
  for (const secret of [password, basic]) {
    expect(text).not.toContain(secret);
    expect(await filesWith(server.dataDir, secret)).toEqual([]);
  }
  await api.remove(browser.id);
});

test('a foreign client is let in as well, and its own credentials win in its own context', async () => {
  const { api } = server;
  const { body: browser } = await api.create({ ...open, httpCredentials: credentials() });
  const client = await chromium.connectOverCDP(socketUrl(api, browser.id), keyHeader(api));
  const page = client.contexts()[0]?.pages()[0];
  expect((await page?.goto(`${vault.origin}/foreign`))?.status()).toBe(200);
  await page?.route('**/*', (route) => route.continue());
  expect((await page?.goto(`${vault.origin}/foreign-routed`))?.status()).toBe(200);

  const own = await client.newContext({ httpCredentials: { username: 'own', password: 'own' } });
  const ownPage = await own.newPage();
  expect((await ownPage.goto(`${vault.origin}/foreign-own`))?.status()).toBe(401);
  const sent = vault.asked.filter(({ path }) => path === '/foreign-own').map((each) => each.authorization);
  expect(sent).not.toContain(`Basic ${basic}`);
  await client.close();
  await api.remove(browser.id);
});

test.each([
  ['answers no questions itself', {}, 401],
  ['leaves the answer to Chromium', { handleAuthRequests: true }, 200],
])('a bare client that holds requests and %s', async (_, more, status) => {
  const { api } = server;
  const { body: browser } = await api.create({ ...open, httpCredentials: credentials() });
  const client = await connectWithKey(api, browser.id);
  const sessionId = await client.attach();
  client.socket.on('message', (data) => {
    const { method, params } = JSON.parse(data.toString());
    const { requestId } = params ?? {};
    if (method === 'Fetch.requestPaused') void client.send('Fetch.continueRequest', { requestId }, sessionId);
    if (method === 'Fetch.authRequired')
      void client.send(
        'Fetch.continueWithAuth',
        { requestId, authChallengeResponse: { response: 'Default' } },
        sessionId,
      );
  });
  await client.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], ...more }, sessionId);
  const path = `/bare-${status}`;
  await client.send('Page.navigate', { url: vault.origin + path }, sessionId);
  const loaded = await eventually(
    async () => (await api.call('GET', `/v1/browsers/${browser.id}/network?type=document`)).body.items,
    ([newest]) => newest?.url === vault.origin + path && newest.state === 'finished',
  );
  expect(loaded[0].status).toBe(status);
  client.socket.close();
  await api.remove(browser.id);
});

test('after a crash the browser signs in again, and looks and loads as before', async () => {
  const { api } = server;
  const { body: browser } = await api.create({
    ...open,
    httpCredentials: credentials(),
    device: 'pixel',
    colorScheme: 'dark',
    network: { latencyMs: 1 },
    tls: { ignoreErrorsFor: ['a.test'] },
  });
  process.kill(chromiumOf(profileOf(server.scratchDir, browser.id))[0] as number, 'SIGKILL');
  await eventually(
    () => api.get(browser.id),
    ({ body }) => body.epoch === 2 && body.status === 'ready',
  );
  const { resultOf } = scriptClient(server, browser.id);
  expect(await resultOf(titleAt(`${vault.origin}/recovered`))).toBe('let in to /recovered');
  const look =
    "return page.evaluate(() => [screen.width, matchMedia('(prefers-color-scheme: dark)').matches])";
  expect(await resultOf(look)).toEqual([412, true]);
  await api.remove(browser.id);
});

test('wrong values are named', async () => {
  const one = { origin: 'https://a.test', username: 'a', password: 'b' };
  const bad: [object[], string][] = [
    [[{ ...one, origin: 'a.test' }], 'httpCredentials[0].origin'],
    [[{ ...one, origin: 'https://a.test/path' }], 'scheme, host and port'],
    [[{ ...one, origin: 'ftp://a.test' }], 'httpCredentials[0].origin'],
    [[{ ...one, username: 'a:b' }], 'httpCredentials[0].username'],
    [[one, { ...one, origin: 'https://A.test:443' }], 'same origin'],
  ];
  for (const [httpCredentials, path] of bad) {
    const { status, body } = await server.api.create({ httpCredentials });
    expect(status, JSON.stringify(httpCredentials)).toBe(400);
    expect(JSON.stringify(body.error.details.issues), path).toContain(path);
  }
});
