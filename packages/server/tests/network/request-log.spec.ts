import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { type NetworkClient, networkClient } from '../support/network-client.ts';
import { type NetworkSite, startNetworkSite } from '../support/network-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

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

/** A port that no server of the suite can get, and that Chromium does not refuse by itself. */
const closed = '127.0.0.1:2';
const finished = ({ state }: { state: string }) => state === 'finished';
const failed = ({ state }: { state: string }) => state === 'failed';

describe.each(['shell', 'full'])('the log of a browser in the engine %s', (engine) => {
  let browser: NetworkClient;
  beforeAll(async () => {
    browser = await networkClient(server, { engine });
  });
  afterAll(async () => {
    await server.api.remove(browser.id);
  });

  test('has each hop of a redirect, with where it led', async () => {
    await browser.visit(`${site.origin}/first`, 'final');
    const final = await browser.request('/final', finished);
    const second = await browser.request('/second');
    const first = await browser.request('/first');
    expect(final).toMatchObject({
      method: 'GET',
      type: 'document',
      status: 200,
      mimeType: 'text/html',
      from: 'page',
      remoteAddress: `127.0.0.1:${site.port}`,
      fromCache: false,
      durationMs: expect.any(Number),
      timing: { wait: expect.any(Number) },
    });
    expect(final.wireBytes).toBeGreaterThan(final.bodyBytes);
    expect(second).toMatchObject({ status: 302, state: 'finished', redirectedTo: final.id });
    expect(first).toMatchObject({ status: 302, state: 'finished', redirectedTo: second.id });
    expect(second.url).toBe(`${site.origin}/second?access_token=***`);
  });

  test('has the requests of workers, service workers and frames, the first ones too', async () => {
    await browser.visit(`${site.origin}/worker`, 'worked');
    expect(await browser.request('/from-worker', finished)).toMatchObject({ from: 'worker', status: 200 });
    await browser.visit(`${site.origin}/service`, 'served');
    expect(await browser.request('/by-service', finished)).toMatchObject({ fromServiceWorker: true });
    expect(await browser.request('/behind', finished)).toMatchObject({ from: 'service_worker', status: 200 });
    await browser.visit(`${site.origin}/frames`, 'frames');
    expect(await browser.request('/from-frame', finished)).toMatchObject({ status: 200, type: 'fetch' });
    const tabs = (await browser.list('?limit=100')).body.items.map(({ tabId }: { tabId: string }) => tabId);
    expect(new Set(tabs).size).toBe(1);
  });

  test('counts the frames of a WebSocket', async () => {
    await browser.visit(`${site.origin}/socket`, 'heard');
    const socket = await browser.request('/ws', ({ webSocket }) => webSocket?.framesReceived === 3);
    expect(socket).toMatchObject({
      type: 'websocket',
      status: 101,
      state: 'pending',
      webSocket: { framesSent: 3, framesReceived: 3, bytesSent: 15, bytesReceived: 15 },
    });
    await browser.visit(`${site.origin}/`, 'home');
    expect(await browser.request('/ws', finished)).toMatchObject({ id: socket.id });
  });

  test('tells what came from the cache', async () => {
    await browser.visit(`${site.origin}/uses-cached`, 'uses cached');
    expect(await browser.request('/cached', finished)).toMatchObject({ fromCache: false });
    await browser.visit(`${site.origin}/`, 'home');
    await browser.visit(`${site.origin}/uses-cached`, 'uses cached');
    const again = await browser.request('/cached', ({ fromCache }) => fromCache);
    expect(again).toMatchObject({ status: 200, type: 'script' });
    expect(again.remoteAddress).toBeUndefined();
  });

  test('has an answer that never ends while it comes', async () => {
    await browser.visit(`${site.origin}/asks-never`, 'begun');
    const never = await browser.request('/never', ({ bodyBytes }) => bodyBytes > 2000);
    expect(never).toMatchObject({ state: 'pending', status: 200 });
    await browser.visit(`${site.origin}/`, 'home');
    expect(await browser.request('/never', failed)).toMatchObject({ failure: { kind: 'cancelled' } });
  });

  test('says why a request failed: policy, TLS, CORS, connection', async () => {
    await browser.visit(`${site.origin}/`, 'home');
    const tries = [`https://${closed}/closed`, `https://127.0.0.1:${site.port}/tls`, `${site.other}/data`];
    await browser.resultOf(
      `return page.evaluate((all) => Promise.all(all.map((url) => fetch(url).catch(() => 0))), args).then(() => 1)`,
      { args: [...tries, 'http://10.0.0.1/private', 'https://10.0.0.1/tunnel'] },
    );
    expect(await browser.request('/closed', failed)).toMatchObject({
      failure: { kind: 'network', error: 'net::ERR_CONNECTION_REFUSED' },
    });
    expect(await browser.request('/tls', failed)).toMatchObject({
      failure: { kind: 'tls', error: 'net::ERR_SSL_PROTOCOL_ERROR' },
    });
    expect(await browser.request('/data', failed)).toMatchObject({ failure: { kind: 'cors' } });
    for (const path of ['/private', '/tunnel'])
      expect(await browser.request(path, failed)).toMatchObject({
        rule: 'private_address',
        failure: { kind: 'policy' },
      });
  });

  test('keeps the requests of a popup after it has closed', async () => {
    await browser.resultOf(
      `const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate((url) => { open(url) }, args)]);
       await popup.waitForFunction(() => document.title === 'popped'); await popup.close(); return 1`,
      { args: `${site.origin}/popup` },
    );
    const popup = await browser.request('/popup', finished);
    const fetched = await browser.request('/from-popup');
    expect(fetched.tabId).toBe(popup.tabId);
    const { items } = (await browser.list(`?tabId=${popup.tabId}`)).body;
    expect(items.length).toBeGreaterThanOrEqual(2);
    expect(items.every(({ tabId }: { tabId: string }) => tabId === popup.tabId)).toBe(true);
  });
});

describe('the log of a browser', () => {
  let browser: NetworkClient;
  beforeAll(async () => {
    browser = await networkClient(server);
    await browser.visit(`${site.origin}/`, 'home');
    await browser.resultOf(
      `return page.evaluate(async () => {
        await fetch('/data', { headers: { authorization: 'Bearer abc', 'x-api-key': 'k1', 'x-plain': 'shown' } }).then((a) => a.text());
        await fetch('/broken?code=xyz').then((a) => a.text());
        for (let n = 0; n < 5; n++) await fetch('/tiny?n=' + n).then((a) => a.text());
        return 1 })`,
    );
    await browser.request('/tiny', finished);
  });
  afterAll(async () => {
    await server.api.remove(browser.id);
  });

  test('is listed newest first, page by page, and nothing twice', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, body } = await browser.list(`?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      seen.push(...body.items.map(({ url }: { url: string }) => url));
      if (!body.hasMore) break;
      cursor = body.nextCursor;
    }
    expect(seen.slice(0, 5)).toEqual([4, 3, 2, 1, 0].map((n) => `${site.origin}/tiny?n=${n}`));
    expect(seen.at(-1)).toBe(`${site.origin}/`);
    expect(new Set(seen).size).toBe(seen.length);
    expect(await browser.list('?cursor=nonsense')).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_CURSOR' } },
    });
  });

  test('is filtered by type, status, host, failure and time', async () => {
    const paths = async (query: string): Promise<string[]> =>
      (await browser.list(`?limit=100&${query}`)).body.items.map(
        ({ url }: { url: string }) => new URL(url).pathname,
      );
    expect(new Set(await paths('type=document'))).toEqual(new Set(['/']));
    expect(await paths('status=5xx')).toEqual(['/broken']);
    expect(await paths('status=503')).toEqual(['/broken']);
    expect(await paths('failed=true')).toContain('/broken');
    expect(await paths('failed=true')).not.toContain('/tiny');
    expect(await paths('host=example.com')).toEqual([]);
    expect(await paths('host=127.0.0.1')).toContain('/data');
    const { startedAt } = await browser.request('/broken');
    expect(await paths(`since=${startedAt}`)).not.toContain('/data');
    expect(await paths('type=fetch,document')).toContain('/tiny');
    expect((await browser.list('?status=7xx')).status).toBe(400);
    expect((await browser.list('?type=nonsense')).status).toBe(400);
  });

  test('shows headers without credentials, and with them to an admin who asks', async () => {
    const { id } = await browser.request('/data', finished);
    const { body } = await browser.detail(id);
    const of = (side: { name: string; value: string }[], name: string) =>
      side.filter((each) => each.name.toLowerCase() === name).map(({ value }) => value);
    expect(of(body.requestHeaders, 'authorization')).toEqual(['•••']);
    expect(of(body.requestHeaders, 'x-api-key')).toEqual(['•••']);
    expect(of(body.requestHeaders, 'x-plain')).toEqual(['shown']);
    expect(of(body.responseHeaders, 'set-cookie')).toEqual(['•••', '•••']);
    expect(of(body.responseHeaders, 'content-type')).toEqual(['application/json']);
    const revealed = (await browser.detail(id, '?reveal=true')).body;
    expect(of(revealed.requestHeaders, 'authorization')).toEqual(['Bearer abc']);
    expect(of(revealed.responseHeaders, 'set-cookie')).toEqual(['sid=topsecret', 'b=2']);
    const events = (await server.api.call('GET', `/v1/browsers/${browser.id}/events?type=network.revealed`))
      .body;
    expect(events.items).toMatchObject([
      { data: { what: 'request', requestId: id, keyId: expect.any(String) } },
    ]);
    const broken = await browser.request('/broken');
    expect(broken.url).toBe(`${site.origin}/broken?code=***`);
  });

  test('gives the body of an answer while Chromium has it', async () => {
    const { id } = await browser.request('/data', finished);
    const path = `/v1/browsers/${browser.id}/network/${id}/content`;
    const response = await fetch(server.api.url + path, {
      headers: { authorization: `Bearer ${server.api.key}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ fine: true });
  });

  test('says so when there is no such request or no body any more', async () => {
    const unknown = `/v1/browsers/${browser.id}/network/request_00000000000000000000000000`;
    for (const path of [unknown, `${unknown}/content`, `/v1/browsers/${browser.id}/network/nonsense`])
      expect(await server.api.call('GET', path)).toMatchObject({
        status: 404,
        body: { error: { code: 'REQUEST_NOT_FOUND' } },
      });
    const { id } = await browser.request('/', ({ type }) => type === 'document');
    await browser.visit(`${site.other}/final`, 'final');
    expect(await server.api.call('GET', `/v1/browsers/${browser.id}/network/${id}/content`)).toMatchObject({
      status: 404,
      body: { error: { code: 'REQUEST_CONTENT_GONE' } },
    });
  });

  test('is in the answer of a call that asks for it', async () => {
    const code = `return page.evaluate(async () => { await fetch('/tiny?mine').then((a) => a.text()); await fetch('/broken').then((a) => a.text()) }).then(() => 1)`;
    const all = (await browser.execute(code, { capture: { network: true } })).body.network;
    expect(all.requests.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual([
      '/tiny',
      '/broken',
    ]);
    expect(all).toMatchObject({ total: 2, dropped: 0 });
    const one = (await browser.execute(code, { capture: { network: { failedOnly: true, max: 1 } } })).body
      .network;
    expect(one).toMatchObject({ requests: [{ status: 503 }], total: 1 });
    expect((await browser.execute('return 1', { capture: { network: true } })).body.network).toEqual({
      requests: [],
      total: 0,
      dropped: 0,
    });
  });
});

test('a log is there for the keys of its project alone, and revealed to admins only', async () => {
  const browser = await networkClient(server);
  const stranger = server.api.as(await makeKey(server.dataDir, { project: 'another' }));
  await browser.visit(`${site.origin}/`, 'home');
  const { id } = await browser.request('/', finished);
  const member = (await server.api.call('POST', '/v1/keys', { body: { name: 'm', role: 'member' } })).body;
  const asMember = server.api.as(member.key);
  const path = `/v1/browsers/${browser.id}/network/${id}`;
  expect((await asMember.call('GET', path)).status).toBe(200);
  expect(await asMember.call('GET', `${path}?reveal=true`)).toMatchObject({ status: 403 });
  expect(
    await asMember.call('POST', `/v1/browsers/${browser.id}/har`, { body: { reveal: true } }),
  ).toMatchObject({ status: 403 });
  const har = `/v1/browsers/${browser.id}/har`;
  for (const theirs of [path, `${path}/content`, `/v1/browsers/${browser.id}/network`])
    expect(await stranger.call('GET', theirs)).toMatchObject({ status: 404 });
  expect(await stranger.call('POST', har, { body: {} })).toMatchObject({ status: 404 });
  await server.api.remove(browser.id);
  expect(await browser.list()).toMatchObject({ status: 409, body: { error: { code: 'BROWSER_NOT_READY' } } });
});
