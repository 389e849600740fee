import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localhostCertificate, localhostKey } from '../../src/egress/way/upstream.fixture.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let secure: Server;
let plain: Site;
let port: number;
const open = { policy: { privateAccess: { localhost: true } } };

beforeAll(async () => {
  secure = createServer({ key: localhostKey, cert: localhostCertificate }, (request, response) => {
    const isScript = request.url === '/worker.js';
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? "fetch('/from-worker').then(() => postMessage('loaded'), () => postMessage('failed'))"
        : '<!doctype html><title>secure</title>',
    );
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  ({ port } = secure.address() as AddressInfo);
  plain = await startSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  secure.closeAllConnections();
  await Promise.all([new Promise((resolve) => secure.close(resolve)), plain.close()]);
});

const titleAt = (url: string): string => `await page.goto('${url}'); return page.title()`;
const fetchOf = (url: string): string =>
  `await page.goto('${plain.origin}/other');
   return page.evaluate((url) => fetch(url).then(() => 'loaded', () => 'failed'), '${url}')`;

describe.each(['shell', 'full'] as const)('with the engine %s', (engine) => {
  test('errors of a certificate are ignored for the host that is named, and for no other', async () => {
    const { api } = server;
    const named = `https://localhost:${port}`;
    const other = `https://127.0.0.1:${port}`;
    const { body: browser } = await api.create({
      ...open,
      engine,
      tls: { ignoreErrorsFor: ['LOCALHOST'] },
      startUrl: `${named}/`,
    });
    expect(browser).toMatchObject({
      startPage: { state: 'loaded' },
      tls: { ignoreErrorsFor: ['localhost'] },
    });
    const { resultOf, errorOf } = scriptClient(server, browser.id);
    const inWorker = `return page.evaluate(() => new Promise((resolve) => {
      new Worker('/worker.js').onmessage = ({ data }) => resolve(data); }))`;
    expect(await resultOf(inWorker)).toBe('loaded');
    expect((await errorOf(titleAt(`${other}/`))).message).toContain('ERR_CERT_');
    expect(await resultOf(fetchOf(`${named}/part`))).toBe('loaded');
    expect(await resultOf(fetchOf(`${other}/part`))).toBe('failed');

    await api.stop(browser.id);
    await api.resume(browser.id);
    expect(await resultOf(titleAt(`${named}/again`))).toBe('secure');
    await api.remove(browser.id);
  });

  test('the exceptions change while the browser runs', async () => {
    const { api } = server;
    const url = `https://localhost:${port}/`;
    const { body: browser } = await api.create({ ...open, engine, startUrl: url });
    expect(browser.startPage).toMatchObject({ state: 'failed', error: { code: 'NAVIGATION_FAILED' } });
    const { resultOf, errorOf } = scriptClient(server, browser.id);
    await api.patch(browser.id, { tls: { ignoreErrorsFor: ['localhost'] } });
    expect(await resultOf(titleAt(url))).toBe('secure');

    const { body: other } = await api.patch(browser.id, { tls: { ignoreErrorsFor: ['elsewhere.test'] } });
    expect(other.tls).toEqual({ ignoreErrorsFor: ['elsewhere.test'] });
    const fresh = await api.create({
      ...open,
      engine,
      tls: { ignoreErrorsFor: ['elsewhere.test'] },
      startUrl: url,
    });
    expect(fresh.body.startPage.error.details.reason).toContain('ERR_CERT_');
    await api.remove(fresh.body.id);

    const { body: none } = await api.patch(browser.id, { tls: null });
    expect(none).not.toHaveProperty('tls');
    expect((await errorOf(titleAt(`https://127.0.0.1:${port}/`))).message).toContain('ERR_CERT_');
    await api.remove(browser.id);
  });
});

test('wrong values are named', async () => {
  for (const host of ['https://a.test', 'a.test/path', 'a.test:443', '*', 'a b'])
    expect(
      (await server.api.create({ tls: { ignoreErrorsFor: [host] } })).body.error.details.issues,
      host,
    ).toMatchObject([{ path: 'tls.ignoreErrorsFor[0]' }]);
});
