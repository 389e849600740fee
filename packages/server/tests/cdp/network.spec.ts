import { readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capability } from '../support/cdp-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What a client sees of the network is what it would see if Chromium reached the network by itself. */
const policy = { privateAccess: { localhost: true } };
/** A port that no server of the suite can get, and that Chromium does not refuse by itself. */
const closed = '127.0.0.1:2';

const chunks = '4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n';
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/drop': ({ socket }) => socket.destroy(),
  '/reset': ({ socket }) => socket.resetAndDestroy(),
  '/away': (_, response) => response.writeHead(302, { location: `https://${closed}/` }).end(),
  // as bytes: Node would join what is written at once
  '/chunks': ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`),
};
const site = createServer((request, response) => {
  const answer = answers[request.url ?? ''];
  if (answer) answer(request, response);
  else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>here</title>');
});

let server: TestServer;
let port: number;
let origin: string;
beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  server = await startServer();
  port = (site.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  site.closeAllConnections();
  site.close();
});

interface Client {
  id: string;
  browser: Browser;
  context: BrowserContext;
  page: Page;
}
async function open(engine: string): Promise<Client> {
  const { id } = (await server.api.create({ policy, engine })).body;
  const browser = await chromium.connectOverCDP(await capability(server.api, id));
  const [context] = browser.contexts();
  const page = context?.pages()[0];
  if (!context || !page) throw new Error('there is no page');
  return { id, browser, context, page };
}

describe.each(['shell', 'full'])('a page in the engine %s', (engine) => {
  let client: Client;
  beforeAll(async () => {
    client = await open(engine);
  });
  afterAll(async () => {
    await client.browser.close();
    await server.api.remove(client.id);
  });

  test('knows that it is online, and hears when a client takes it offline and back', async () => {
    const { page, context } = client;
    await page.goto(origin);
    const inWorker = `new Promise((resolve) => {
      new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.onLine)']))).onmessage = ({ data }) => resolve(data) })`;
    expect([await page.evaluate('navigator.onLine'), await page.evaluate(inWorker)]).toEqual([true, true]);
    const reaches = () => page.evaluate("fetch('/').then(({ status }) => status, String)");
    await page.evaluate(
      "window.heard = []; for (const type of ['online', 'offline']) addEventListener(type, () => heard.push([type, navigator.onLine]))",
    );
    await context.setOffline(true);
    await page.waitForFunction('heard.length === 1');
    expect(await reaches()).toBe('TypeError: Failed to fetch');
    await context.setOffline(false);
    await page.waitForFunction('heard.length === 2');
    expect(await reaches()).toBe(200);
    expect(await page.evaluate('heard')).toEqual([
      ['offline', false],
      ['online', true],
    ]);
  });
});

describe('a client', () => {
  let client: Client;
  beforeAll(async () => {
    client = await open('shell');
  });
  afterAll(() => client.browser.close());

  const failures = [
    ['a site that drops the connection', () => `${origin}/drop`, 'ERR_EMPTY_RESPONSE'],
    ['a site that resets it', () => `${origin}/reset`, 'ERR_CONNECTION_RESET'],
    ['a port without a listener', () => `http://${closed}/`, 'ERR_CONNECTION_REFUSED'],
    ['a port without a listener, over TLS,', () => `https://${closed}/`, 'ERR_CONNECTION_REFUSED'],
    ['a name that does not exist', () => 'http://nowhere.test/', 'ERR_NAME_NOT_RESOLVED'],
    ['a name that does not exist, over TLS,', () => 'https://nowhere.test/', 'ERR_NAME_NOT_RESOLVED'],
  ] as const;

  test.each(failures)('is told by a fetch from %s why it failed', async (_, address, error) => {
    const page = await client.context.newPage();
    const url = address();
    await page.goto(origin);
    const failed = page.waitForEvent('requestfailed');
    const logged = page.waitForEvent('console');
    const mode = url.startsWith(origin) ? 'same-origin' : 'no-cors';
    const told = await page.evaluate(
      `fetch(${JSON.stringify(url)}, { mode: '${mode}' }).then(({ status }) => status, String)`,
    );
    expect([told, (await failed).failure()?.errorText, (await logged).text()]).toEqual([
      'TypeError: Failed to fetch',
      `net::${error}`,
      `Failed to load resource: net::${error}`,
    ]);
    await page.close();
  });

  test.each(failures)('is told by a navigation to %s why it failed', async (_, address, error) => {
    const url = address();
    const failed = client.page.waitForEvent('requestfailed');
    await expect(client.page.goto(url)).rejects.toThrow(`net::${error} at ${url}`);
    expect((await failed).failure()?.errorText).toBe(`net::${error}`);
  });

  test('is told why the page that it was redirected to could not be reached', async () => {
    await expect(client.page.goto(`${origin}/away`)).rejects.toThrow('net::ERR_CONNECTION_REFUSED at');
  });

  test('is told why a WebSocket could not be opened', async () => {
    const page = await client.context.newPage();
    await page.goto(origin);
    const logged = page.waitForEvent('console');
    const opened = page.waitForEvent('websocket');
    const failed = opened.then((socket) => socket.waitForEvent('socketerror'));
    await page.evaluate(`void new WebSocket('ws://${closed}/')`);
    expect([await failed, (await logged).text()]).toEqual([
      expect.stringContaining('net::ERR_CONNECTION_REFUSED'),
      expect.stringContaining('net::ERR_CONNECTION_REFUSED'),
    ]);
    await page.close();
  });

  test('and a script are told the same, with the reason in the details of the error', async () => {
    const { errorOf, execute } = scriptClient(server, client.id);
    for (const [, address, reason] of failures)
      expect(await errorOf(`await page.goto('${address()}')`)).toMatchObject({
        code: 'NAVIGATION_FAILED',
        message: expect.stringContaining('cannot be reached'),
        details: { reason },
      });
    const { body } = await execute(
      `await page.goto('${origin}'); return page.evaluate("fetch('/drop').catch(String)")`,
    );
    expect(body).toMatchObject({ result: 'TypeError: Failed to fetch' });
  });

  test('sees the headers of Chromium and of the site, and none of a proxy', async () => {
    const response = await client.page.goto(`${origin}/kept`);
    const asked = (await response?.request().allHeaders()) ?? {};
    expect(asked).toMatchObject({ host: `127.0.0.1:${port}`, connection: 'keep-alive' });
    expect(asked).not.toHaveProperty('proxy-connection');
    expect(Object.keys((await response?.allHeaders()) ?? {}).sort()).toEqual([
      ...['connection', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
    ]);
    expect(await response?.headerValue('keep-alive')).toBe('timeout=5');
  });

  test('sees the address of the site, in answers as in archives', async () => {
    const harPath = join(server.dataDir, 'seen.har');
    const context = await client.browser.newContext({ recordHar: { path: harPath } });
    const page = await context.newPage();
    const response = await page.goto(`http://localhost:${port}/`);
    expect(await response?.serverAddr()).toEqual({ ipAddress: '127.0.0.1', port });
    await context.close();
    const { log } = JSON.parse(await readFile(harPath, 'utf8'));
    await rm(harPath);
    expect(log.entries[0]).toMatchObject({ serverIPAddress: '127.0.0.1', _serverPort: port });
  });

  test('sees the sizes that the site has sent', async () => {
    const response = await client.page.goto(`${origin}/chunks`);
    await response?.finished();
    const { responseBodySize } = (await response?.request().sizes()) ?? {};
    expect(responseBodySize).toBe(chunks.length);
  });
});
