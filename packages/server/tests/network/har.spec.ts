import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureAt } from '../support/capture-client.ts';
import { expectHar } from '../support/har-schema.ts';
import { harText, type NetworkClient, networkClient } from '../support/network-client.ts';
import { type NetworkSite, startNetworkSite } from '../support/network-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: NetworkSite;
let browser: NetworkClient;
beforeAll(async () => {
  site = await startNetworkSite();
  server = await startServer();
  browser = await networkClient(server);
  await browser.visit(`${site.origin}/first`, 'final');
  await browser.visit(`${site.origin}/socket`, 'heard');
  await browser.visit(`${site.origin}/`, 'home');
  await browser.resultOf(
    `return page.evaluate(async () => {
      await fetch('/data', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer abc' },
        body: JSON.stringify({ user: 'ada', password: 'hunter2hunter2' }) }).then((a) => a.text());
      await fetch('http://10.0.0.1/private').catch(() => 0);
      return 1 })`,
  );
  await browser.request('/private', ({ state }) => state === 'failed');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

// biome-ignore lint/suspicious/noExplicitAny: a HAR
const entryOf = (har: any, path: string): any =>
  har.log.entries.find(({ request }: { request: { url: string } }) => new URL(request.url).pathname === path);
const bytesOf = async (path: string) =>
  fetch(server.api.url + path, { headers: { authorization: `Bearer ${server.api.key}` } });

describe('a HAR', () => {
  test('is valid, and has the requests in their order, by page', async () => {
    const har = await browser.har();
    expectHar(har);
    const paths = har.log.entries.map(
      ({ request }: { request: { url: string } }) => new URL(request.url).pathname,
    );
    expect(paths.filter((path: string) => path !== '/favicon.ico')).toEqual([
      ...['/first', '/second', '/final', '/socket', '/ws', '/', '/data', '/private'],
    ]);
    expect(har.log.pages.map(({ title }: { title: string }) => new URL(title).pathname)).toEqual([
      ...['/first', '/socket', '/'],
    ]);
    expect(entryOf(har, '/first')).toMatchObject({
      response: { status: 302, redirectURL: '/second?access_token=***' },
      serverIPAddress: '127.0.0.1',
    });
    expect(entryOf(har, '/private')).toMatchObject({
      _rule: 'private_address',
      _failure: { kind: 'policy' },
    });
    expect(entryOf(har, '/ws')._webSocket).toMatchObject({ framesSent: 3, framesReceived: 3 });
    expect(entryOf(har, '/data').response.content.text).toBeUndefined();
  });

  test('has bodies where they are asked for, without passwords', async () => {
    const har = await browser.har({ bodies: 'text' });
    expectHar(har);
    const { request, response } = entryOf(har, '/data');
    expect(request.postData).toEqual({
      mimeType: 'application/json',
      text: '{"user":"ada","password":"•••"}',
    });
    expect(JSON.parse(response.content.text)).toEqual({ fine: true, password: '•••' });
    expect(JSON.stringify(har)).not.toMatch(/hunter2|Bearer abc|topsecret|abc123/);
  });

  test('holds what is hidden otherwise when an admin asks for that, and an event says so', async () => {
    const har = await browser.har({ bodies: 'all', reveal: true });
    expectHar(har);
    const all = JSON.stringify(har);
    for (const hidden of ['hunter2hunter2', 'Bearer abc', 'topsecret', 'abc123'])
      expect(all).toContain(hidden);
    const { items } = (
      await server.api.call('GET', `/v1/browsers/${browser.id}/events?type=network.revealed`)
    ).body;
    expect(items).toMatchObject([{ data: { what: 'har' } }]);
  });

  test('is kept as a file of the browser unless its bytes are asked for', async () => {
    const { status, body } = await server.api.call('POST', `/v1/browsers/${browser.id}/har`, { body: {} });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'network-1.har', source: 'har', mimeType: 'application/json' },
    });
    const content = await bytesOf(`/v1/browsers/${browser.id}/files/${body.id}/content`);
    const har = JSON.parse(await content.text());
    expectHar(har);
    expect(har.log.entries.length).toBeGreaterThan(5);
  });

  test('is as small as it was asked to be, with the newest requests', async () => {
    const text = await harText(server, browser.id, { maxBytes: 6000, bodies: 'all' });
    expect(text.length).toBeLessThanOrEqual(6000);
    const har = JSON.parse(text);
    expectHar(har);
    expect(entryOf(har, '/private')).toBeDefined();
    expect(entryOf(har, '/first')).toBeUndefined();
    expect(har.log.comment).toMatch(/older requests/);
  });

  test('is of one tab, and from a time on', async () => {
    const { tabId, startedAt } = await browser.request('/data');
    const since = await browser.har({ since: startedAt, tabId });
    expect(entryOf(since, '/data')).toBeDefined();
    expect(entryOf(since, '/final')).toBeUndefined();
    expect(
      await server.api.call('POST', `/v1/browsers/${browser.id}/har`, { body: { tabId: 'none' } }),
    ).toMatchObject({ status: 404, body: { error: { code: 'TAB_NOT_FOUND' } } });
  });
});

describe('a browser that was created with `har`', () => {
  const hars = async (id: string) => {
    const { items } = (await server.api.call('GET', `/v1/browsers/${id}/files`)).body;
    return items.filter(({ source }: { source: string }) => source === 'har');
  };

  test('leaves a HAR of all its requests when it is closed, from the first one on', async () => {
    const own = await networkClient(server, { har: true, startUrl: `${site.origin}/first` });
    expect((await server.api.get(own.id)).body.har).toBe(true);
    await own.request('/final', ({ state }) => state === 'finished');
    expect((await server.api.remove(own.id)).status).toBe(200);
    const [file] = await hars(own.id);
    const har = await (await bytesOf(`/v1/browsers/${own.id}/files/${file.id}/content`)).json();
    expectHar(har);
    expect(entryOf(har, '/first')).toBeDefined();
    expect(entryOf(har, '/final')).toBeDefined();
  });

  test('leaves one for each epoch', async () => {
    const own = await networkClient(server, { har: true, startUrl: `${site.origin}/` });
    await own.request('/', ({ state }) => state === 'finished');
    await server.api.stop(own.id);
    expect(await hars(own.id)).toMatchObject([{ name: 'network-1.har' }]);
    await server.api.resume(own.id);
    await own.request('/', ({ state }) => state === 'finished');
    await server.api.remove(own.id);
    expect((await hars(own.id)).map(({ name }: { name: string }) => name)).toEqual([
      'network-2.har',
      'network-1.har',
    ]);
  });
});

test('a quick scrape answers with the HAR of its page where it is asked to', async () => {
  const request = { url: `${site.origin}/first`, policy: { privateAccess: { localhost: true } } };
  const scrape = (more: object) => server.api.call('POST', '/v1/scrape', { body: { ...request, ...more } });
  const { status, body } = await scrape({ include: ['har', 'links'] });
  expect({ status, links: body.links }).toEqual({ status: 200, links: [] });
  expectHar(body.har);
  expect(entryOf(body.har, '/first')).toMatchObject({ serverIPAddress: '127.0.0.1' });
  expect(entryOf(body.har, '/final')).toMatchObject({ response: { status: 200 } });
  expect(entryOf(body.har, '/data')).toBeUndefined();
  expect((await scrape({})).body.har).toBeUndefined();
});

test.each([
  ['screenshot', 'image/png', 'iVBORw0KGgo'],
  ['pdf', 'application/pdf', 'JVBERi0'],
])(
  'a quick %s answers with it and the HAR of its page where it is asked to',
  async (action, mimeType, beginning) => {
    const request = { url: `${site.origin}/first`, policy: { privateAccess: { localhost: true } } };
    const { status, headers, body } = await captureAt(server.api, `/v1/${action}`, {
      ...request,
      include: ['har'],
    });
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    const { har, content, ...about } = body;
    expect(about).toEqual({ url: request.url, finalUrl: `${site.origin}/final`, statusCode: 200, mimeType });
    expect(content.startsWith(beginning)).toBe(true);
    expectHar(har);
    expect(entryOf(har, '/first')).toMatchObject({ response: { redirectURL: '/second?access_token=***' } });
    expect(entryOf(har, '/final')).toMatchObject({ response: { status: 200 } });
    const plain = await captureAt(server.api, `/v1/${action}`, request);
    expect(plain.headers.get('content-type')).toBe(mimeType);
    const unknown = { ...request, include: ['links'] };
    expect((await captureAt(server.api, `/v1/${action}`, unknown)).status).toBe(400);
  },
);
