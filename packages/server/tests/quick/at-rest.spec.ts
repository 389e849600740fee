/** Pages that do not change by themselves are read and drawn without waiting for anything that cannot matter. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { captureAt } from '../support/capture-client.ts';
import type { Answer } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: Server;
let origin: string;
/** Until then the site keeps `/held.svg` back. */
let release = Promise.withResolvers<void>();
const policy = { privateAccess: { localhost: true } };
const slowMs = 150;

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="rgb(10,200,30)"/></svg>';
const pages: Record<string, string> = {
  '/held': '<p>Words beside a picture.</p><img src=/held.svg alt=held>',
  '/sheets':
    '<link rel=stylesheet href=/first.css><p>Shown.</p><p class=gone>Not shown.</p><img src=/slow.svg>',
  '/handler': '<body onload="document.body.append(`Written at the end.`)"><p>Words.</p><img src=/slow.svg>',
  '/moved': '<meta http-equiv=Refresh content="0; url=/next"><p>Moved.</p><img src=/slow.svg>',
  '/header': '<p>Moved.</p><img src=/slow.svg>',
  '/next': '<p>Where it went.</p>',
  '/drawn': '<body style="margin:0"><img src=/slow.svg style="display:block">',
  '/lazy':
    '<body style="margin:0"><img loading=lazy src=/slow.svg style="display:block;width:400px;height:300px">',
  '/form': '<body style="margin:0"><img src=/slow.svg style="display:block"><form><input name=q></form>',
};

beforeAll(async () => {
  const answer = async (url: string, response: ServerResponse): Promise<void> => {
    if (url === '/held.svg') await release.promise;
    if (/slow|second/.test(url)) await setTimeout(slowMs);
    if (url === '/header') response.setHeader('refresh', '0; url=/next');
    const type = url.endsWith('.svg') ? 'image/svg+xml' : url.endsWith('.css') ? 'text/css' : 'text/html';
    const sheet = url === '/first.css' ? '@import url(/second.css);' : '.gone { display: none }';
    const body = { 'image/svg+xml': picture, 'text/css': sheet, 'text/html': pages[url] ?? '' }[type];
    response.setHeader('content-type', type).end(body);
  };
  site = createServer(({ url = '/' }, response) => void answer(url, response)).listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  server = await startServer();
});
afterAll(async () => {
  release.resolve();
  await server[Symbol.asyncDispose]();
  site.closeAllConnections();
  site.close();
});

const scrape = (body: object): Promise<Answer> =>
  server.api.call('POST', '/v1/scrape', { body: { policy, format: 'text', ...body } });
const textOf = async (path: string): Promise<string> => (await scrape({ url: origin + path })).body.content;

test('words do not wait for pictures, unless the caller asks how large these are', async () => {
  release = Promise.withResolvers();
  const sizes = scrape({ url: `${origin}/held`, include: ['images'] });
  const words = await scrape({ url: `${origin}/held` });
  // The other call goes on without the picture in the end, as with any that never comes.
  release.resolve();
  expect(words.body).toMatchObject({ content: 'Words beside a picture.', statusCode: 200 });
  expect((await sizes).body.images).toMatchObject([{ alt: 'held', width: 400, height: 300 }]);
});

test('sheets are waited for, with those that they import', async () => {
  expect(await textOf('/sheets')).toBe('Shown.');
});

test('a page that writes when it is loaded, or leads to another one, is read then', async () => {
  expect(await textOf('/handler')).toContain('Written at the end.');
  expect(await textOf('/moved')).toBe('Where it went.');
  expect(await textOf('/header')).toBe('Where it went.');
});

test.each(['/drawn', '/lazy', '/form'])('a picture of %s has the picture that came last', async (path) => {
  const { status, bytes } = await captureAt(server.api, '/v1/screenshot', { url: origin + path, policy });
  expect(status).toBe(200);
  const { data, width } = PNG.sync.read(bytes);
  const at = (x: number, y: number): number[] => [
    ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3),
  ];
  expect([at(1, 1), at(399, 299)]).toEqual([
    [10, 200, 30],
    [10, 200, 30],
  ]);
});

test('a page that was made ahead has nothing in it', async () => {
  await textOf('/next');
  const html =
    '<p id=all></p><script>all.textContent = ["Title:", document.title, "links:", document.links.length].join(" ")</script>';
  expect((await scrape({ html })).body.content).toBe('Title: links: 0');
});

test('a picture shows its own page alone, in its own size, at whichever moment the page made ahead for it is taken', async () => {
  const html = '<title>Sample</title><body style="background:rgb(10,200,30)">';
  const viewport = { width: 320, height: 200 };
  for (let afterMs = 0; afterMs < 200; afterMs += 10) {
    await setTimeout(afterMs);
    const { bytes } = await captureAt(server.api, '/v1/screenshot', { html, viewport });
    const { data, width, height } = PNG.sync.read(bytes);
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
    expect([afterMs, width, height, ...new Set(pixels)]).toEqual([afterMs, 320, 200, 0xff1ec80a]);
  }
});
