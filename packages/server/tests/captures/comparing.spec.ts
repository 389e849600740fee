import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Captured, capture, captureAt, type Image, readPng } from '../support/capture-client.ts';
import { makeKey } from '../support/keys.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const box = (id: string, left: number, colour: string): string =>
  `<div id=${id} style="position:absolute;top:0;left:${left}px;width:100px;height:100px;background:${colour}"></div>`;
const page = (first: string, second: string): string =>
  `<!doctype html><title>boxes</title><body style="margin:0">${box('first', 0, first)}${box('second', 200, second)}
  <p style="position:absolute;top:300px;font-size:1px">${'words '.repeat(50)}</p>`;
const pages: Record<string, string> = {
  '/plain': page('#00f', '#00f'),
  '/changed': page('#00f', '#0f0'),
  '/drawing': `<!doctype html><body style="margin:0;background:linear-gradient(#123,#fed)"><h1>${'A heading. '.repeat(40)}</h1>`,
};
const viewport = { width: 400, height: 200 };
const ofBox = 100 * 100;
const all = viewport.width * viewport.height;

let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite(pages);
  server = await startServer();
  id = (await server.api.create({ policy, viewport })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const quick = (path: string, body: object): Promise<Captured> =>
  captureAt(server.api, '/v1/screenshot', {
    url: site.origin + path,
    policy,
    viewport,
    waitFor: 'load',
    ...body,
  });

async function onTab(path: string, body: object): Promise<Captured> {
  const visit = { url: site.origin + path, waitFor: 'load' };
  expect((await server.api.call('POST', `/v1/browsers/${id}/scrape`, { body: visit })).status).toBe(200);
  return capture(server.api, id, 'screenshot', body);
}

async function upload(bytes: Buffer, name = 'baseline.png'): Promise<string> {
  const answer = await fetch(`${server.api.url}/v1/files?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.api.key}` },
    body: new Uint8Array(bytes),
  });
  return ((await answer.json()) as { id: string }).id;
}

const inAnswer = ({ content }: { content: string }): Image =>
  readPng({ status: 200, body: undefined, bytes: Buffer.from(content, 'base64') });

const codeOf = async (taken: Promise<Captured>): Promise<unknown[]> => {
  const { status, body } = await taken;
  return [status, body?.error?.code];
};

describe.each([
  ['a quick action', quick],
  ['a tab', onTab],
] as const)('%s', (_, take) => {
  test('says how much differs from a baseline, and shows where', async () => {
    const baseline = await upload((await take('/plain', {})).bytes);
    const same = await take('/plain', { baseline });
    expect(same.status).toBe(200);
    expect(same.body).toMatchObject({
      matches: true,
      difference: 0,
      differentPixels: 0,
      comparedPixels: all,
      sameSize: true,
      size: viewport,
      baseline: { fileId: baseline, ...viewport },
    });
    const changed = await take('/changed', { baseline });
    expect(changed.body).toMatchObject({ matches: false, differentPixels: ofBox, difference: ofBox / all });
    expect(inAnswer(changed.body.picture).at(250, 50)).toEqual([0, 255, 0, 255]);
    const shown = inAnswer(changed.body.differencePicture);
    expect(shown.at(250, 50)).toEqual([255, 0, 0, 255]);
    expect(shown.at(50, 50)).not.toEqual([255, 0, 0, 255]);
    expect((await take('/changed', { baseline, threshold: 0.13 })).body.matches).toBe(true);
    expect((await take('/changed', { baseline, threshold: 0.12 })).body.matches).toBe(false);
  });

  test('leaves out what is of no interest, in both pictures', async () => {
    const baseline = await upload((await take('/plain', {})).bytes);
    const ignored = await take('/changed', { baseline, ignore: ['#second', '.not-there'] });
    expect(ignored.body).toMatchObject({ matches: true, difference: 0, comparedPixels: all - ofBox });
    const twice = await take('/changed', { baseline, ignore: ['#first', 'div#first'] });
    expect(twice.body).toMatchObject({ differentPixels: ofBox, comparedPixels: all - ofBox });
    expect(await codeOf(take('/changed', { baseline, ignore: ['##'] }))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('compares a part, wherever it is in the page', async () => {
    const clip = { x: 150, y: 10, width: 100, height: 80 };
    const baseline = await upload((await take('/plain', { clip })).bytes);
    const { body } = await take('/changed', { baseline, clip });
    expect(body).toMatchObject({ differentPixels: 50 * 80, size: { width: 100, height: 80 } });
    const { body: without } = await take('/changed', { baseline, clip, ignore: ['#second'] });
    expect(without).toMatchObject({ matches: true, comparedPixels: 50 * 80 });
  });

  test('says when the sizes differ; what only one has differs', async () => {
    const clip = { x: 0, y: 0, width: 300, height: 200 };
    const baseline = await upload((await take('/plain', { clip })).bytes);
    const { body } = await take('/plain', { baseline, threshold: 1 });
    expect(body).toMatchObject({
      matches: false,
      sameSize: false,
      size: viewport,
      baseline: { width: 300, height: 200 },
      comparedPixels: all,
      differentPixels: 100 * 200,
    });
    expect(inAnswer(body.differencePicture).width).toBe(400);
  });

  test('gives the same picture in fewer bytes, if asked', async () => {
    const plain = await take('/drawing', {});
    // one that a busy machine is too slow for stays as it is
    const optimized = await eventually(
      () => take('/drawing', { optimize: true }),
      ({ bytes }) => bytes.length < plain.bytes.length,
    );
    expect(PNG.sync.read(optimized.bytes).data.equals(PNG.sync.read(plain.bytes).data)).toBe(true);
    const several = await take('/plain', { selectors: ['#first', '#second'], optimize: true });
    expect(several.body.pictures.map(inAnswer).map((image: Image) => image.at(50, 50))).toEqual([
      [0, 0, 255, 255],
      [0, 0, 255, 255],
    ]);
  });

  test('refuses what contradicts itself, and a baseline that is none', async () => {
    const baseline = await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'x.svg');
    for (const wrong of [
      { baseline, format: 'jpeg' },
      { optimize: true, format: 'webp' },
      { threshold: 0.5 },
      { ignore: ['p'] },
      { baseline, selectors: ['#first'] },
    ])
      expect(await codeOf(take('/plain', wrong))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await codeOf(take('/plain', { baseline }))).toEqual([422, 'BASELINE_INVALID']);
    const gone = 'file_01ja9q4m8h2f7t3k5w6x8y0z1a';
    expect(await codeOf(take('/plain', { baseline: gone }))).toEqual([404, 'FILE_NOT_FOUND']);
  });
});

describe('a hostile baseline', () => {
  const chunk = (name: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = (width: number, height: number, { depth = 8, interlace = 0 } = {}): Buffer => {
    const bytes = Buffer.alloc(13);
    bytes.writeUInt32BE(width);
    bytes.writeUInt32BE(height, 4);
    bytes.set([depth, 6, 0, 0, interlace], 8);
    return chunk('IHDR', bytes);
  };
  const png = (...chunks: Buffer[]): Buffer =>
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', Buffer.alloc(0))]);
  const packed = (bytes: number): Buffer => chunk('IDAT', deflateSync(Buffer.alloc(bytes)));

  test.each([
    ['says it is huge', png(head(100_000, 100_000), packed(1000)), 'CAPTURE_TOO_LARGE'],
    [
      'has a second head that says so',
      png(head(10, 10), head(60_000, 60_000), packed(410)),
      'BASELINE_INVALID',
    ],
    ['is interlaced', png(head(10, 10, { interlace: 1 }), packed(1_000_000)), 'BASELINE_INVALID'],
    ['has many more pixels than it says', png(head(400, 200), packed(50_000_000)), 'BASELINE_INVALID'],
    [
      'has a damaged part',
      png(head(400, 200), Buffer.from('0000000449444154deadbeefdeadbeef', 'hex')),
      'BASELINE_INVALID',
    ],
    ['ends soon', png(head(400, 200)).subarray(0, 30), 'BASELINE_INVALID'],
  ])('that %s is refused, and the next comparison works', async (_, bytes, code) => {
    const baseline = await upload(bytes);
    expect((await codeOf(quick('/plain', { baseline })))[1]).toBe(code);
    const good = await upload((await quick('/plain', {})).bytes);
    expect((await quick('/plain', { baseline: good })).body.matches).toBe(true);
  });
});

test('a baseline is of its project alone', async () => {
  const baseline = await upload((await quick('/plain', {})).bytes);
  const other = server.api.as(await makeKey(server.dataDir, { project: 'other' }));
  const asked = { html: '<p>x', baseline };
  expect(await codeOf(captureAt(other, '/v1/screenshot', asked))).toEqual([404, 'FILE_NOT_FOUND']);
});

test('a first baseline is a picture that was stored; a comparison is stored with its difference', async () => {
  const first = await quick('/plain', { store: { name: 'front.png' }, optimize: true });
  expect(first.status).toBe(201);
  const baseline = first.body.files[0].id;
  const { status, body } = await quick('/changed', { baseline, store: true });
  expect([status, body.matches, body.differentPixels]).toEqual([201, false, ofBox]);
  expect(body.files.map(({ name, source }: { name: string; source: string }) => [name, source])).toEqual([
    ['screenshot.png', 'comparison'],
    ['difference.png', 'comparison'],
  ]);
  // the picture that was taken is the next baseline
  const next = await quick('/changed', { baseline: body.files[0].id });
  expect(next.body.matches).toBe(true);
  const tab = await onTab('/changed', { baseline, store: true });
  expect([tab.status, tab.body.picture.file.name, tab.body.differencePicture.file.name]).toEqual([
    201,
    'screenshot.png',
    'difference.png',
  ]);
});
