import { getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Captured, capture, captureAt, readPng } from '../support/capture-client.ts';
import { fontOf } from '../support/font.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** What quick actions and tabs take alike, where other specs look at one of them only; and what templates name. */
const chapters = ['one', 'two', 'three'].map((name) => `<h1 style="break-after:page">Chapter ${name}</h1>`);
const pages: Record<string, string> = {
  '/book': `<!doctype html><html lang=en><title>The Book</title><meta name=viewport content="width=device-width">
    <style>body { margin: 0 } #mark { position: absolute; left: 100px; top: 100px; width: 50px; height: 50px; background: #f00 }</style>
    ${chapters.join('')}<div id=mark></div>`,
  '/strict': `<!doctype html><meta http-equiv=content-security-policy content="font-src 'self'"><p>strict`,
  '/font': `<!doctype html><title>font</title><style>
    @font-face { font-family: held; src: url(/gate); font-display: swap }
    body { margin: 0; font: 200px/1 held, monospace; background: #0f0 }</style>█`,
};

let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite(pages);
  server = await startServer();
  id = (await server.api.create({ policy })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

type Kind = 'screenshot' | 'pdf';
const quick = (kind: Kind, path: string, body: object): Promise<Captured> =>
  captureAt(server.api, `/v1/${kind}`, { url: site.origin + path, policy, waitFor: 'load', ...body });

async function onTab(kind: Kind, path: string, body: object): Promise<Captured> {
  const visit = { url: site.origin + path, waitFor: 'load' };
  expect((await server.api.call('POST', `/v1/browsers/${id}/scrape`, { body: visit })).status).toBe(200);
  return capture(server.api, id, kind, body);
}

async function document(taken: Promise<Captured>) {
  const { status, bytes, body } = await taken;
  expect({ status, body }).toEqual({ status: 200, body: undefined });
  return getDocumentProxy(new Uint8Array(bytes));
}

const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
const margin = { top: '3cm', bottom: '3cm' };
const assets = [
  {
    name: 'style/head.css',
    content: base64('@font-face { font-family: head; src: url(../head.ttf) } b { font: 20px head }'),
  },
  { name: 'head.ttf', content: base64(fontOf({ family: 'Head Test', width: 1 })) },
  { name: 'foot.ttf', content: base64(fontOf({ family: 'Foot Test', width: 1 })) },
  {
    name: 'logo.svg',
    content: base64(
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image width="10" height="10" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="/></svg>',
    ),
  },
];

describe.each([
  ['a quick action', quick],
  ['a tab', onTab],
] as const)('%s', (_, take) => {
  test('prints templates with the pictures, style sheets and fonts that were sent along', async () => {
    const headerTemplate = '<link rel=stylesheet href="style/head.css"><b>Head</b><img src="./logo.svg">';
    const footerTemplate =
      '<style>@font-face { font-family: foot; src: url("foot.ttf") }</style><i style="font: 20px foot">Foot</i>';
    const templates = { headerTemplate, footerTemplate, margin };
    const [plain, filled] = [
      await take('pdf', '/book', templates),
      await take('pdf', '/book', { ...templates, assets }),
    ];
    const seen = ({ bytes }: Captured): boolean[] =>
      ['HeadTest-Regular', 'FootTest-Regular', '/Subtype /Image'].map((part) => bytes.includes(part));
    expect(seen(plain)).toEqual([false, false, false]);
    expect(seen(filled)).toEqual([true, true, true]);
  });

  test('says which font of a template cannot be read', async () => {
    const headerTemplate = '<style>@font-face { font-family: head; src: url(head.ttf) }</style><b>Head</b>';
    const broken = [{ name: 'head.ttf', content: base64(Buffer.from('\0\x01\0\0\0 and so on', 'latin1')) }];
    const { status, body } = await take('pdf', '/book', { headerTemplate, assets: broken });
    expect([status, body.error.details.issues[0].reason]).toEqual([400, 'the font head.ttf cannot be read']);
    const strict = await take('pdf', '/strict', { headerTemplate, assets });
    expect(strict.body.error.message).toMatch(/content security policy.*POST \/v1\/fonts/);
    const unused = await take('pdf', '/book', { assets });
    expect(unused.body.error.details.issues[0].path).toBe('assets');
  });

  test('prints the pages that were asked for, with tags and an outline', async () => {
    const printed = await document(take('pdf', '/book', { pageRanges: '2-3', outline: true }));
    expect(printed.numPages).toBe(2);
    expect((await printed.getOutline())?.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Chapter two', 'Chapter three']),
    );
    expect(await printed.getMarkInfo()).toMatchObject({ Marked: true });
    const untagged = await document(take('pdf', '/book', { tagged: false }));
    expect([await untagged.getOutline(), await untagged.getMarkInfo()]).toEqual([null, null]);
  });

  test('shows a part of the page', async () => {
    const clip = { x: 90, y: 90, width: 70, height: 70 };
    const image = readPng(await take('screenshot', '/book', { clip }));
    expect([image.width, image.height]).toEqual([70, 70]);
    expect([image.at(9, 9), image.at(10, 10), image.at(59, 59), image.at(60, 60)]).toEqual([
      [255, 255, 255, 255],
      [255, 0, 0, 255],
      [255, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });
});

test('a device and its pixels are those of a quick action, and of a browser that poses as it', async () => {
  const device = 'iphone';
  const { viewport } = (await server.api.create({ policy, device })).body;
  const size = [viewport.width * viewport.deviceScaleFactor, viewport.height * viewport.deviceScaleFactor];
  const sizeOf = ({ width, height }: { width: number; height: number }) => [width, height];
  expect(sizeOf(readPng(await quick('screenshot', '/book', { device })))).toEqual(size);
  const fine = { viewport: { width: 400, height: 300, deviceScaleFactor: 3 } };
  expect(sizeOf(readPng(await quick('screenshot', '/book', fine)))).toEqual([1200, 900]);
});

test('fonts on their way are waited for unless the caller does not want to', async () => {
  const go = { code: `await page.goto('${site.origin}/font', { waitUntil: 'commit' })` };
  await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: go });
  const asked = () => site.requests.some(({ url }) => url === '/gate');
  await eventually(async () => asked(), Boolean);
  // The gate stays shut: one that waits for it takes as long as it is patient, and one that does not need not.
  const patienceMs = 2500;
  const timeOf = async (kind: Kind, body: object): Promise<number> => {
    const began = performance.now();
    expect((await capture(server.api, id, kind, body)).status).toBe(200);
    return performance.now() - began;
  };
  for (const kind of ['screenshot', 'pdf'] as const) {
    expect(await timeOf(kind, {})).toBeGreaterThanOrEqual(patienceMs);
    // on a busy machine the first ones may be slow for other reasons
    await eventually(
      () => timeOf(kind, { waitForFonts: false }),
      (ms) => ms < patienceMs,
    );
  }
  site.openGate();
});
