import { X509Certificate } from 'node:crypto';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthority } from '../../src/egress/vouch/vouch.fixture.ts';
import { openHttpProxy, openSocksProxy } from '../../src/egress/way/upstream.fixture.ts';
import { capability, connectWithKey } from '../support/cdp-client.ts';
import { makeKey } from '../support/keys.ts';
import { chromiumOf, profileOf } from '../support/leaks.ts';
import { networkClient } from '../support/network-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { type SecureSite, startSecureSite } from '../support/secure-site.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const house = makeAuthority('the house');
const stranger = makeAuthority('a stranger');
const alone = makeAuthority('alone').issue({ host: 'pinned.localhost' });
const past = { from: new Date('2020-01-01'), to: new Date('2021-01-01') };

let server: TestServer;
let site: SecureSite;
let plain: Site;

beforeAll(async () => {
  site = await startSecureSite({
    'wiki.localhost': house.issue({ name: 'wiki', host: 'wiki.localhost' }),
    'old.localhost': house.issue({ host: 'old.localhost', ...past }),
    'wrong.localhost': house.issue({ host: 'right.localhost' }),
    'unnamed.localhost': house.issue({ name: 'unnamed.localhost' }),
    'strange.localhost': stranger.issue({ host: 'strange.localhost' }),
    'intranet.example': house.issue({ host: 'intranet.example' }),
    'pinned.localhost': alone,
  });
  plain = await startSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([site.close(), plain.close()]);
});

const open = { policy: { privateAccess: { localhost: true } } };
const trust = { tls: { trust: [house.cert] } };
const titleAt = (url: string): string => `await page.goto('${url}'); return page.title()`;

describe.each(['shell', 'full'] as const)('with the engine %s', (engine) => {
  test('a site whose certificate a trusted authority has signed is like any other', async () => {
    const { api } = server;
    const wiki = site.at('wiki.localhost');
    const { body: browser } = await api.create({ ...open, ...trust, engine, startUrl: `${wiki}/first` });
    expect(browser).toMatchObject({
      startPage: { state: 'loaded' },
      tls: { trust: [{ subject: 'CN=the house', fingerprint: expect.stringMatching(/^[0-9A-F:]{95}$/) }] },
    });
    expect(JSON.stringify(browser)).not.toContain('BEGIN CERTIFICATE');
    const { resultOf } = scriptClient(server, browser.id);
    expect(await resultOf(titleAt(`${wiki}/again`))).toBe('wiki.localhost 2.0');
    const webSocket = `return page.evaluate((url) => new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      socket.onopen = () => socket.send('hello');
      socket.onerror = () => reject(new Error('failed'));
      socket.onmessage = ({ data }) => resolve(data); }), '${wiki.replace('https', 'wss')}/socket')`;
    expect(await resultOf(webSocket)).toBe('heard hello');
    const seen = `const answer = await page.goto('${wiki}/details');
      const { subjectName, issuer } = await answer.securityDetails();
      return [subjectName, issuer, await page.evaluate(() => [isSecureContext, innerWidth, innerHeight])]`;
    expect(await resultOf(seen)).toEqual(['wiki', 'the house', [true, 1280, 720]]);
    const worker = `await page.evaluate(() => navigator.serviceWorker.register('/worker.js')
        .then(() => navigator.serviceWorker.ready).then(() => undefined));
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      return page.evaluate(() => fetch('/answered').then((answer) => answer.text()))`;
    expect(await resultOf(worker)).toBe('from the worker');

    await api.stop(browser.id);
    await api.resume(browser.id);
    expect(await resultOf(titleAt(`${wiki}/resumed`))).toBe('wiki.localhost 2.0');
    process.kill(chromiumOf(profileOf(server.scratchDir, browser.id))[0] as number, 'SIGKILL');
    await eventually(
      () => api.get(browser.id),
      ({ body }) => body.epoch === 3 && body.status === 'ready',
    );
    expect(await resultOf(titleAt(`${wiki}/recovered`))).toBe('wiki.localhost 2.0');
    await api.remove(browser.id);
  });

  test('what is wrong with a certificate is still wrong, and has its own name', async () => {
    const { api } = server;
    const { body: browser } = await api.create({ ...open, ...trust, engine });
    const { errorOf } = scriptClient(server, browser.id);
    for (const [host, name] of [
      ['old', 'ERR_CERT_DATE_INVALID'],
      ['wrong', 'ERR_CERT_COMMON_NAME_INVALID'],
      ['unnamed', 'ERR_CERT_COMMON_NAME_INVALID'],
      ['strange', 'ERR_CERT_AUTHORITY_INVALID'],
    ] as const)
      expect((await errorOf(titleAt(site.at(`${host}.localhost`)))).details.reason, host).toBe(name);
    const { body: other } = await api.create({
      ...open,
      ...trust,
      engine,
      startUrl: site.at('old.localhost'),
    });
    expect(other.startPage.error.details).toMatchObject({ reason: 'ERR_CERT_DATE_INVALID' });
    expect(site.asked.map(({ host }) => host)).not.toContain('old.localhost');
    await Promise.all([api.remove(browser.id), api.remove(other.id)]);
  });
});

const reasonAt = async (id: string, url: string): Promise<string> =>
  (await scriptClient(server, id).errorOf(titleAt(url))).details.reason;

test('an authority is believed in its browser alone, and only those that were given are', async () => {
  const { api } = server;
  const wiki = site.at('wiki.localhost');
  const { body: believes } = await api.create({ ...open, ...trust });
  const { body: other } = await api.create({ ...open, tls: { trust: [stranger.cert] } });
  const { body: none } = await api.create(open);
  const theirs = api.as(await makeKey(server.dataDir, { project: 'theirs' }));
  const { body: foreign } = await theirs.create({ ...open, startUrl: wiki });
  expect(await scriptClient(server, believes.id).resultOf(titleAt(wiki))).toBe('wiki.localhost 2.0');
  expect(await reasonAt(other.id, wiki)).toBe('ERR_CERT_AUTHORITY_INVALID');
  expect(await reasonAt(none.id, wiki)).toBe('ERR_CERT_AUTHORITY_INVALID');
  expect(foreign.startPage.error.details.reason).toContain('ERR_CERT_AUTHORITY_INVALID');
  expect(await scriptClient(server, other.id).resultOf(titleAt(site.at('strange.localhost')))).toBe(
    'strange.localhost 2.0',
  );
  await theirs.remove(foreign.id);
  for (const { id } of [believes, other, none]) await api.remove(id);
});

test('what a caller can read of the exit in its own browser opens no other browser', async () => {
  const { api } = server;
  const wiki = site.at('wiki.localhost');
  const { body: mine } = await api.create({ ...open, ...trust, startUrl: wiki });
  const client = await connectWithKey(api, mine.id);
  const session = await client.attach();
  await client.send('Network.enable', {}, session);
  await client.send('Page.navigate', { url: `${wiki}/certificate` }, session);
  const { tableNames } = await eventually(
    () => client.send('Network.getCertificate', { origin: wiki }, session),
    ({ tableNames }) => tableNames.length > 0,
  );
  client.socket.close();
  const ofExit = new X509Certificate(Buffer.from(tableNames[0], 'base64'));
  expect(ofExit.subject).toBe('CN=wiki');

  const posing = makeAuthority('a thief').issue({ host: 'bank.localhost' });
  site.use('bank.localhost', { cert: posing.cert + ofExit.toString(), key: posing.key });
  const { body: other } = await api.create({ ...open, startUrl: site.at('bank.localhost') });
  expect(other.startPage.error.details.reason).toContain('ERR_CERT_AUTHORITY_INVALID');
  await Promise.all([api.remove(mine.id), api.remove(other.id)]);
});

test('it can be the certificate of a site itself', async () => {
  const { api } = server;
  const { body: browser } = await api.create({ ...open, tls: { trust: [alone.cert] } });
  const pinned = site.at('pinned.localhost');
  expect(await scriptClient(server, browser.id).resultOf(titleAt(pinned))).toBe('pinned.localhost 2.0');
  site.use('pinned.localhost', makeAuthority('alone').issue({ host: 'pinned.localhost' }));
  await api.stop(browser.id);
  await api.resume(browser.id);
  expect(await reasonAt(browser.id, pinned)).toBe('ERR_CERT_AUTHORITY_INVALID');
  await api.remove(browser.id);
});

test('sites that speak HTTP/1.1, and others of all kinds, are reached beside them', async () => {
  const { api } = server;
  const old = await startSecureSite(
    { 'plain.localhost': house.issue({ host: 'plain.localhost' }) },
    { old: true },
  );
  const tls = { trust: [house.cert], ignoreErrorsFor: ['strange.localhost'] };
  const { body: browser } = await api.create({ ...open, tls });
  const { resultOf } = scriptClient(server, browser.id);
  expect(await resultOf(titleAt(old.at('plain.localhost')))).toBe('plain.localhost 1.1');
  expect(await resultOf(titleAt(site.at('strange.localhost')))).toBe('strange.localhost 2.0');
  expect(await resultOf(titleAt(`${plain.origin}/other`))).toBeTypeOf('string');
  const socket = `await page.goto('${plain.origin}/other'); return page.evaluate((url) => new Promise((resolve) => {
    new WebSocket(url).onopen = () => resolve('open'); }), '${plain.origin.replace('http', 'ws')}/socket')`;
  expect(await resultOf(socket)).toBe('open');
  await api.remove(browser.id);
  await old.close();
});

test.each(['http', 'socks5'] as const)('it holds through an upstream proxy: %s', async (scheme) => {
  const { api } = server;
  const proxy = await (scheme === 'http' ? openHttpProxy() : openSocksProxy());
  const { body: browser } = await api.create({
    ...open,
    ...trust,
    proxy: `${scheme}://127.0.0.1:${proxy.port}`,
  });
  const url = site.at('intranet.example');
  expect(await scriptClient(server, browser.id).resultOf(titleAt(url))).toBe('intranet.example 2.0');
  expect(proxy.asked.join()).toContain(`intranet.example:${site.port}`);
  await api.remove(browser.id);
});

test('the policy refuses what it did before', async () => {
  const { api } = server;
  const policy = { ...open.policy, blockedDomains: ['wiki.localhost'] };
  const { body: blocked } = await api.create({ policy, ...trust });
  const { body: inside } = await api.create(trust);
  for (const { id } of [blocked, inside]) {
    const { code } = await scriptClient(server, id).errorOf(titleAt(site.at('wiki.localhost')));
    expect(code).toBe('POLICY_BLOCKED');
    await api.remove(id);
  }
});

test('trust changes while the browser runs, and open connections that rested on it are ended', async () => {
  const { api } = server;
  const wiki = site.at('wiki.localhost');
  const { body: browser } = await api.create(open);
  const { resultOf } = scriptClient(server, browser.id);
  expect(await reasonAt(browser.id, wiki)).toBe('ERR_CERT_AUTHORITY_INVALID');
  await api.patch(browser.id, { ...trust });
  expect(await resultOf(titleAt(wiki))).toBe('wiki.localhost 2.0');
  const socket = `return page.evaluate((url) => new Promise((resolve, reject) => {
    window.socket = new WebSocket(url);
    socket.onclose = () => { window.ended = true; };
    socket.onmessage = ({ data }) => resolve(data);
    socket.onopen = () => socket.send('begin'); }), '${wiki.replace('https', 'wss')}/live')`;
  expect(await resultOf(socket)).toBe('heard begin');

  const more = await api.patch(browser.id, {
    tls: { trust: [house.cert, stranger.cert], ignoreErrorsFor: ['a.test'] },
  });
  expect(more.body.tls.trust).toHaveLength(2);
  const again = `return page.evaluate(() => new Promise((resolve) => {
    socket.onmessage = ({ data }) => resolve(data); socket.send('again'); }))`;
  expect(await resultOf(again)).toBe('heard again');

  const without = await api.patch(browser.id, { tls: { trust: [] } });
  expect(without.body.tls).toEqual({ ignoreErrorsFor: ['a.test'] });
  await resultOf('await page.waitForFunction(() => window.ended === true)');
  expect(await reasonAt(browser.id, wiki)).toBe('ERR_CERT_AUTHORITY_INVALID');
  expect((await api.patch(browser.id, { tls: null })).body).not.toHaveProperty('tls');
  await api.remove(browser.id);
});

test('a quick action has authorities of its own', async () => {
  const url = site.at('wiki.localhost');
  const scrape = (more: object) =>
    server.api.call('POST', '/v1/scrape', { body: { url, ...open, include: ['metadata'], ...more } });
  const [believed, not] = await Promise.all([scrape(trust), scrape({})]);
  expect(believed.body).toMatchObject({ statusCode: 200, title: 'wiki.localhost 2.0' });
  expect(not.body.error).toMatchObject({ details: { reason: 'ERR_CERT_AUTHORITY_INVALID' } });
  const old = await scrape({ ...trust, url: site.at('old.localhost') });
  expect(old.body.error).toMatchObject({ details: { reason: 'ERR_CERT_DATE_INVALID' } });
});

test('a foreign client sees such a site, and what is wrong with others', async () => {
  const { api } = server;
  const { body: browser } = await api.create({ ...open, ...trust });
  const client = await puppeteer.connect({ browserWSEndpoint: await capability(api, browser.id) });
  const page = await client.newPage();
  const answer = await page.goto(site.at('wiki.localhost'));
  expect([answer?.status(), answer?.remoteAddress()]).toEqual([200, { ip: '127.0.0.1', port: site.port }]);
  await expect(page.goto(site.at('old.localhost'))).rejects.toThrow('net::ERR_CERT_DATE_INVALID');
  await expect(page.goto(site.at('strange.localhost'))).rejects.toThrow('net::ERR_CERT_AUTHORITY_INVALID');
  await client.disconnect();
  await api.remove(browser.id);
});

test('the log of requests tells where such requests went, and why others failed', async () => {
  const client = await networkClient(server, trust);
  await client.visit(`${site.at('wiki.localhost')}/logged`, 'wiki.localhost 2.0');
  const logged = await client.request('/logged', ({ state }) => state === 'finished');
  expect(logged).toMatchObject({ status: 200, remoteAddress: `127.0.0.1:${site.port}`, vouched: true });
  await client.execute(titleAt(`${site.at('old.localhost')}/failed`));
  const failed = await client.request('/failed', ({ state }) => state === 'failed');
  expect(failed.failure).toMatchObject({ kind: 'tls', error: 'net::ERR_CERT_DATE_INVALID' });
  await server.api.remove(client.id);
});

test('what is no authority is refused, with what is wrong with it', async () => {
  const wrong: [unknown, string][] = [
    [['no certificate'], 'tls.trust.0'],
    [[house.cert, house.key], 'tls.trust.1'],
    [[makeAuthority('gone', past).cert], 'expired'],
    [Array(51).fill(house.cert), 'tls.trust'],
    [['x'.repeat(300_000)], 'tls.trust'],
  ];
  for (const [given, word] of wrong) {
    const { status, body } = await server.api.create({ tls: { trust: given } });
    expect([status, JSON.stringify(body.error.details.issues)]).toEqual([400, expect.stringContaining(word)]);
  }
});
