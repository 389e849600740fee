import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { networkClient } from '../support/network-client.ts';
import { type NetworkSite, startNetworkSite } from '../support/network-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

/**
 * A HAR opened in DevTools: its own network panel, in a Chromium of the test's own, takes the file as if a person had chosen
 * it. The modules are those of the front end that Chromium brings along; the engine `shell` has none.
 */
let server: TestServer;
let site: NetworkSite;
let web: Browser;
let devtools: Page;
beforeAll(async () => {
  const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
  [site, server, web] = await Promise.all([
    startNetworkSite(),
    startServer(),
    chromium.launch({ executablePath: found.full?.path }),
  ]);
  devtools = await web.newPage();
  await devtools.goto('devtools://devtools/bundled/devtools_app.html');
});
afterAll(async () => {
  await web.close();
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Runs there, as text: it imports from a place that only DevTools has. */
const open = `async (text) => {
  const bundled = (path) => import('devtools://devtools/bundled/' + path);
  const { ViewManager } = await bundled('ui/legacy/legacy.js');
  const { NetworkPanel } = await bundled('panels/network/network.js');
  const { NetworkLog } = await bundled('models/logs/logs.js');
  await ViewManager.ViewManager.instance().showView('network');
  await NetworkPanel.NetworkPanel.instance().networkLogView.onLoadFromFile(new File([text], 'page.har'));
  const rows = (root) => [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.shadowRoot ? rows(element.shadowRoot) : []),
    ...(element.matches('td.name-column') ? [element.textContent] : []),
  ]);
  while (rows(document).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  const requests = NetworkLog.NetworkLog.instance().requests().map(async (request) => ({
    path: new URL(request.url()).pathname,
    method: request.requestMethod,
    status: request.statusCode,
    type: request.resourceType().name(),
    address: request.remoteAddress(),
    transferSize: request.transferSize,
    resourceSize: request.resourceSize,
    cached: request.cached(),
    byServiceWorker: request.fetchedViaServiceWorker,
    initiator: request.initiator()?.url,
    headers: request.responseHeaders.length,
    body: (await request.requestContentData()).text?.slice(0, 200),
  }));
  return { names: rows(document).join(' '), requests: await Promise.all(requests) };
}`;

interface Opened {
  /** In the rows of the panel. */
  names: string;
  // biome-ignore lint/suspicious/noExplicitAny: what DevTools has of each request
  requests: any[];
}

test('DevTools shows the requests of a HAR with their sizes, addresses, origins and bodies', async () => {
  const browser = await networkClient(server);
  await browser.visit(`${site.origin}/uses-cached`, 'uses cached');
  await browser.visit(`${site.origin}/first`, 'final');
  await browser.visit(`${site.origin}/uses-cached`, 'uses cached');
  await browser.visit(`${site.origin}/service`, 'served');
  await browser.resultOf(
    `return page.evaluate(() => fetch('/data').then((a) => a.text()).then(() => fetch('http://10.0.0.1/private')).catch(() => 1))`,
  );
  await browser.request('/private', ({ state }) => state === 'failed');
  const har = await browser.har({ bodies: 'text' });
  const { names, requests } = await devtools.evaluate<Opened>(
    `(${open})(${JSON.stringify(JSON.stringify(har))})`,
  );
  expect(requests.length).toBe(har.log.entries.length);
  for (const name of ['first', 'final', 'data', 'cached', 'private']) expect(names).toContain(name);
  const of = (path: string) => requests.findLast((each) => each.path === path);
  expect(of('/first')).toMatchObject({ method: 'GET', status: 302, type: 'document' });
  expect(of('/data')).toMatchObject({
    status: 200,
    type: 'fetch',
    address: `127.0.0.1:${site.port}`,
    body: expect.stringContaining('"fine":true'),
    byServiceWorker: false,
  });
  expect(of('/data')?.transferSize).toBeGreaterThan(of('/data')?.resourceSize ?? 0);
  expect(of('/data')?.headers).toBeGreaterThan(2);
  expect(of('/cached')).toMatchObject({ cached: true, initiator: `${site.origin}/uses-cached` });
  expect(of('/by-service')).toMatchObject({ byServiceWorker: true });
  expect(of('/private')).toMatchObject({ status: 0 });
});
