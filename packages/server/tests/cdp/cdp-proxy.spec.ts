import { once } from 'node:events';
import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect as dial } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localhostCertificate, localhostKey } from '../../src/egress/way/upstream.fixture.ts';
import { capability, connect } from '../support/cdp-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** A TLS terminator in front that also moves the service below a path; clients know nothing but its address. */
const prefix = '/browsers';
const own = getCACertificates();
let server: TestServer;
let port = 0;
let publicUrl: string;

const inner = (url = ''): string => url.replace(prefix, '');
const proxy = createServer({ key: localhostKey, cert: localhostCertificate }, (request, response) => {
  const { method, headers } = request;
  const onwards = forward({ port, method, path: inner(request.url), headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onwards);
});
proxy.on('upgrade', (request, socket, head) => {
  const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const onwards = dial(port, '127.0.0.1', () => {
    onwards.write(`GET ${inner(request.url)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    onwards.write(head);
    onwards.pipe(socket).pipe(onwards);
  });
  for (const end of [socket, onwards]) end.on('error', () => socket.destroy());
});

beforeAll(async () => {
  setDefaultCACertificates([...own, localhostCertificate]);
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  publicUrl = `https://localhost:${(proxy.address() as AddressInfo).port}${prefix}`;
  server = await startServer({ BROWSERD_PUBLIC_URL: `${publicUrl}/` });
  port = server.service.port;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  proxy.closeAllConnections();
  proxy.close();
  setDefaultCACertificates(own);
});

test('signed addresses and discovery lead through the proxy, whatever host the caller names', async () => {
  const { id } = (await server.api.create()).body;
  const url = await capability(server.api, id);
  const address = `${publicUrl.replace('https', 'wss')}/v1/browsers/${id}/cdp?token=`;
  expect(url.startsWith(address)).toBe(true);
  const asked = await server.api.call('GET', `/v1/browsers/${id}/cdp/json/version`);
  expect(asked.body.webSocketDebuggerUrl.startsWith(address)).toBe(true);

  const bare = await connect(url);
  expect((await bare.send('Browser.getVersion')).product).toMatch(/Chrome/);
  bare.socket.close();
  const playwright = await chromium.connectOverCDP(url.replace(/^wss/, 'https'));
  expect(await playwright.contexts()[0]?.pages()[0]?.evaluate('6 * 7')).toBe(42);
  await playwright.close();
  const puppet = await puppeteer.connect({ browserURL: url.replace(/^wss/, 'https') });
  expect((await puppet.pages()).length).toBe(1);
  await puppet.disconnect();
  await server.api.remove(id);
});
