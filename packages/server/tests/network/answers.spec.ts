import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localhostCertificate, localhostKey } from '../../src/egress/way/upstream.fixture.ts';
import { expectHar } from '../support/har-schema.ts';
import { type NetworkClient, networkClient } from '../support/network-client.ts';
import { type NetworkSite, startNetworkSite } from '../support/network-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** How answers come and fail to come, in the log and in the HAR of it. */
let server: TestServer;
let site: NetworkSite;
let secure: Server;
let securePort: number;
beforeAll(async () => {
  site = await startNetworkSite();
  secure = createServer({ key: localhostKey, cert: localhostCertificate }, (_, response) => response.end());
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  ({ port: securePort } = secure.address() as AddressInfo);
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  secure.closeAllConnections();
  secure.close();
});

const finished = ({ state }: { state: string }) => state === 'finished';
const failed = ({ state }: { state: string }) => state === 'failed';
// biome-ignore lint/suspicious/noExplicitAny: a HAR
const entryOf = (har: any, path: string): any =>
  har.log.entries.findLast(
    ({ request }: { request: { url: string } }) => new URL(request.url).pathname === path,
  );

describe.each(['shell', 'full'])('in the engine %s', (engine) => {
  let browser: NetworkClient;
  beforeAll(async () => {
    browser = await networkClient(server, { engine });
  });
  afterAll(async () => {
    await server.api.remove(browser.id);
  });

  test('an answer that streams is pending with what has come of it, and finished with all of it', async () => {
    await browser.visit(`${site.origin}/asks-stream`, 'begun');
    const begun = await browser.request('/stream', ({ bodyBytes }) => bodyBytes > 0);
    expect(begun).toMatchObject({ state: 'pending', status: 200, bodyBytes: 1000 });
    expect(begun.durationMs).toBeUndefined();
    const pending = await browser.har();
    expectHar(pending);
    expect(entryOf(pending, '/stream')).toMatchObject({ _state: 'pending', response: { status: 200 } });
    await browser.resultOf(`return page.evaluate(() => fetch('/stream-on').then(() => 1))`);
    const ended = await browser.request('/stream', finished);
    expect(ended).toMatchObject({ id: begun.id, bodyBytes: 3000, durationMs: expect.any(Number) });
    expect(ended.wireBytes).toBeGreaterThan(3000);
    expect(entryOf(await browser.har(), '/stream')).toMatchObject({
      _state: 'finished',
      response: { content: { size: 3000 } },
    });
  });

  test('one that never ends is in a HAR while it comes, and holds up neither the HAR nor its bodies', async () => {
    await browser.visit(`${site.origin}/asks-never`, 'begun');
    await browser.request('/never', ({ bodyBytes }) => bodyBytes > 0);
    const har = await browser.har({ bodies: 'all' });
    expectHar(har);
    const { _state, response } = entryOf(har, '/never');
    expect([_state, response.status, response.content.text]).toEqual(['pending', 200, undefined]);
  });

  test('answers of caches and of service workers are told apart in a HAR', async () => {
    for (const time of [1, 2]) await browser.visit(`${site.origin}/uses-cached?${time}`, 'uses cached');
    await browser.request('/cached', ({ fromCache }) => fromCache);
    await browser.visit(`${site.origin}/service`, 'served');
    await browser.request('/by-service', finished);
    const har = await browser.har();
    expectHar(har);
    expect(entryOf(har, '/cached')).toMatchObject({ _fromCache: 'disk', response: { bodySize: 0 } });
    expect(entryOf(har, '/by-service')).toMatchObject({ response: { _fetchedViaServiceWorker: true } });
    expect(entryOf(har, '/by-service')).not.toHaveProperty('_fromCache');
    expect(entryOf(har, '/behind')).toMatchObject({ response: { _fetchedViaServiceWorker: false } });
    await browser.resultOf(
      `return page.evaluate(async () => { for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister(); return 1 })`,
    );
  });

  test('a certificate that does not hold is told from a server that speaks no TLS', async () => {
    await browser.visit(`${site.origin}/`, 'home');
    await browser.resultOf(
      `return page.evaluate((all) => Promise.all(all.map((url) => fetch(url).catch(() => 0))), args).then(() => 1)`,
      { args: [`https://127.0.0.1:${securePort}/self-signed`, `https://127.0.0.1:${site.port}/no-tls`] },
    );
    expect(await browser.request('/self-signed', failed)).toMatchObject({
      failure: { kind: 'tls', error: expect.stringMatching(/^net::ERR_CERT_/) },
    });
    expect(await browser.request('/no-tls', failed)).toMatchObject({
      failure: { kind: 'tls', error: 'net::ERR_SSL_PROTOCOL_ERROR' },
    });
  });

  test('what CORS forbids says what was missing, and a preflight that is refused fails its request', async () => {
    await browser.visit(`${site.origin}/`, 'home');
    await browser.resultOf(
      `return page.evaluate((other) => Promise.all([
        fetch(other + '/tiny').catch(() => 0),
        fetch(other + '/data', { method: 'PUT', headers: { 'x-own': '1' } }).catch(() => 0),
      ]), args).then(() => 1)`,
      { args: site.other },
    );
    expect(await browser.request('/tiny', failed)).toMatchObject({
      failure: { kind: 'cors', detail: 'MissingAllowOriginHeader' },
    });
    const put = ({ method }: { method: string }) => method === 'PUT';
    expect(await browser.request('/data', put)).toMatchObject({
      failure: { kind: 'cors', detail: 'PreflightMissingAllowOriginHeader' },
    });
    expect(entryOf(await browser.har(), '/tiny')._failure).toMatchObject({ kind: 'cors' });
  });
});
