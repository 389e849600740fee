import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureAt, readPng } from '../support/capture-client.ts';
import type { Api } from '../support/client.ts';
import { fontOf, uploadFont } from '../support/font.ts';
import { makeKey } from '../support/keys.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

/** Three lines: by name, by `local()` and on a canvas; each is 4 squares of 40 pixels where the font is there. */
const lines = (family: string, style = 'Regular'): string => `<!doctype html><style>
  @font-face { font-family: mine; src: local("${family} ${style}") }
  body { margin: 0; font: 20px/20px "${family}", monospace; white-space: nowrap }
  canvas { display: block }</style>
  <div>MMMM</div><div style="font-family: mine, monospace">MMMM</div><canvas width=200 height=20></canvas>
  <script>
    const pen = document.querySelector('canvas').getContext('2d');
    pen.font = '20px "${family}", monospace';
    pen.fillText('MMMM', 0, 20);
  </script>`;

const black = [0, 0, 0, 255];
/** Where the last square is; the letters of any other font have ended there. */
const isThere = (bytes: { status: number; bytes: Buffer; body: unknown }): boolean[] => {
  const image = readPng(bytes);
  return [10, 30, 50].map((y) => String(image.at(150, y)) === String(black));
};
const [all, none] = [
  [true, true, true],
  [false, false, false],
];

const shown = async (api: Api, family: string): Promise<boolean[]> =>
  isThere(await captureAt(api, '/v1/screenshot', { html: lines(family), waitFor: 'load' }));

async function shownIn(api: Api, id: string, family: string): Promise<boolean[]> {
  const url = `data:text/html,${encodeURIComponent(lines(family))}`;
  const code = `await page.goto(${JSON.stringify(url)})`;
  const ran = await api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
  expect(ran.body).toMatchObject({ success: true });
  return isThere(await captureAt(api, `/v1/browsers/${id}/screenshot`, {}));
}

const wide = fontOf({ family: 'Wide Test', width: 2 });

let server: TestServer;
let api: Api;
let other: Api;

beforeAll(async () => {
  server = await startServer();
  api = server.api;
  other = api.as(await makeKey(server.dataDir, { project: 'other' }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  expect(existsSync(`${server.exchangeDir}-fonts`)).toBe(false);
});

describe('a font of a project', () => {
  test('is there for its quick actions from the next one on, and for no other project', async () => {
    expect(await shown(api, 'Wide Test')).toEqual(none);
    const uploaded = await uploadFont(api, wide);
    expect(uploaded).toMatchObject({
      status: 201,
      body: {
        format: 'ttf',
        size: wide.length,
        faces: [
          {
            family: 'Wide Test',
            style: 'Regular',
            fullName: 'Wide Test Regular',
            postScriptName: 'WideTest-Regular',
          },
        ],
      },
    });
    const { id } = uploaded.body;
    expect(await shown(api, 'Wide Test')).toEqual(all);
    expect(await shown(other, 'Wide Test')).toEqual(none);
    // the same bytes are the same font
    const again = await uploadFont(api, wide);
    expect([again.status, again.body]).toEqual([200, uploaded.body]);
    expect((await api.call('GET', '/v1/fonts')).body.items).toEqual([uploaded.body]);
    expect((await api.call('GET', `/v1/fonts/${id}`)).body).toEqual(uploaded.body);
    for (const method of ['GET', 'DELETE'])
      expect((await other.call(method, `/v1/fonts/${id}`)).body.error.code).toBe('FONT_NOT_FOUND');
    expect((await api.call('DELETE', `/v1/fonts/${id}`)).body).toEqual({ id, deleted: true });
    expect((await api.call('DELETE', `/v1/fonts/${id}`)).body.error.code).toBe('FONT_NOT_FOUND');
    expect(await shown(api, 'Wide Test')).toEqual(none);
  });

  test('is there in a browser that starts after its upload, and stays until that ends', async () => {
    const before = (await api.create()).body.id;
    const { id } = (await uploadFont(api, fontOf({ family: 'Of Browsers', width: 2 }))).body;
    const after = (await api.create()).body.id;
    const foreign = (await other.create()).body.id;
    expect(await shownIn(api, after, 'Of Browsers')).toEqual(all);
    expect(await shownIn(other, foreign, 'Of Browsers')).toEqual(none);
    expect(await shownIn(api, before, 'Of Browsers')).toEqual(none);
    await api.stop(before);
    await api.resume(before);
    expect(await shownIn(api, before, 'Of Browsers')).toEqual(all);
    await api.call('DELETE', `/v1/fonts/${id}`);
    expect(await shownIn(api, after, 'Of Browsers')).toEqual(all);
    await api.stop(after);
    await api.resume(after);
    expect(await shownIn(api, after, 'Of Browsers')).toEqual(none);
    for (const each of [before, after]) await api.remove(each);
    await other.remove(foreign);
    const left = () => readdir(`${server.exchangeDir}-fonts`);
    await eventually(left, (names) => names.length === 0);
  });

  test('is in the header and the text of a PDF', async () => {
    const { id } = (await uploadFont(api, fontOf({ family: 'Printed Test', width: 1 }))).body;
    const html = '<p style="font-family: \'Printed Test\'">words</p>';
    const headerTemplate = '<span style="font: 20px \'Printed Test\'">head</span>';
    const fontsIn = async (body: object): Promise<boolean> => {
      const { status, bytes } = await captureAt(api, '/v1/pdf', body);
      expect(status).toBe(200);
      return bytes.includes('PrintedTest-Regular');
    };
    expect(await fontsIn({ html })).toBe(true);
    expect(await fontsIn({ html: '<p>words</p>', headerTemplate, margin: { top: '2cm' } })).toBe(true);
    expect(await fontsIn({ html: '<p>words</p>' })).toBe(false);
    await api.call('DELETE', `/v1/fonts/${id}`);
  });

  test('whose glyphs are nonsense harms no page, neither of its project nor of another', async () => {
    const glyphs = Buffer.alloc(4096, 0xa7);
    const { id } = (await uploadFont(api, fontOf({ family: 'Broken Test', width: 2, glyphs }))).body;
    for (const each of [api, other]) {
      const html = `<div style="height:100px;background:#000"></div><p style="font-family: 'Broken Test'">words`;
      const image = readPng(await captureAt(each, '/v1/screenshot', { html }));
      expect(image.at(100, 50)).toEqual(black);
    }
    await api.call('DELETE', `/v1/fonts/${id}`);
  });

  test('that is none is refused with the reason, and nothing of it stays', async () => {
    const twice = Buffer.from(wide);
    wide.copy(twice, 28, 12, 28);
    const nameless = Buffer.from(wide);
    nameless.fill(0, wide.indexOf(Buffer.from('Wide Test', 'utf16le').swap16()));
    const wrong: [Buffer, RegExp][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /no TTF, OTF or TTC/],
      [Buffer.from('wOF2 and so on'), /WOFF2.*Upload the TTF/],
      [Buffer.from([0, 1, 0, 0]), /ends too soon/],
      [wide.subarray(0, wide.length - 300), /ends after the file/],
      [twice, /twice/],
      [Buffer.from(wide).fill(0xff, 4, 6), /tables/],
      [nameless, /no family name/],
      [Buffer.concat([Buffer.from('ttcf\0\x01\0\0'), Buffer.alloc(4, 0xff)]), /collection/],
    ];
    const left = (await api.call('GET', '/v1/fonts')).body.items.length;
    for (const [bytes, why] of wrong) {
      const { status, body } = await uploadFont(api, bytes);
      expect([status, body.error?.code, body.error?.message]).toEqual([
        422,
        'FONT_INVALID',
        expect.stringMatching(why),
      ]);
    }
    expect((await api.call('GET', '/v1/fonts')).body.items).toHaveLength(left);
  });

  test('is there without boxes too, where only admins upload', async () => {
    await using unboxed = await startServer({ BROWSERD_ISOLATION: 'process' });
    const member = unboxed.api.as(await makeKey(unboxed.dataDir, { project: 'members', role: 'member' }));
    expect((await uploadFont(member, wide)).body.error.code).toBe('FORBIDDEN');
    expect((await uploadFont(unboxed.api, wide)).status).toBe(201);
    expect(await shown(unboxed.api, 'Wide Test')).toEqual(all);
    expect(await shown(member, 'Wide Test')).toEqual(none);
  });
});
