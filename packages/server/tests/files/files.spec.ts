import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { contentPath, download, named, upload } from '../support/file-client.ts';
import { filesBelow } from '../support/leaks.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let api: Api;
let browserId: string;

beforeAll(async () => {
  server = await startServer();
  api = server.api;
  browserId = (await api.create()).body.id;
  // files need no process
  await api.stop(browserId);
});
afterAll(() => server[Symbol.asyncDispose]());

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const files = (id = browserId): string => `/v1/browsers/${id}/files`;
const upAndDown = async (name: string, body: Uint8Array<ArrayBuffer>) => {
  const { status, body: file } = await upload(api, browserId, named(name), { body });
  expect(status).toBe(201);
  const response = await download(api, browserId, file.id);
  return { file, response, bytes: new Uint8Array(await response.arrayBuffer()) };
};

describe('a file', () => {
  test('is uploaded, listed, described, fetched and deleted', async () => {
    const body = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(100_000)]);
    const created = await upload(api, browserId, named('Rechnung März.pdf'), { body });
    const file = created.body;
    expect(file).toMatchObject({
      name: 'Rechnung März.pdf',
      size: body.length,
      mimeType: 'application/pdf',
      sha256: sha256(body),
      source: 'upload',
    });
    expect(created.headers.get('location')).toBe(`${files()}/${file.id}`);
    expect((await api.call('GET', `${files()}/${file.id}`)).body).toEqual(file);
    expect((await api.call('GET', files())).body.items).toEqual([file]);

    const response = await download(api, browserId, file.id);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(body.length),
      etag: `"${sha256(body)}"`,
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="Rechnung M_rz.pdf"; filename*=UTF-8''Rechnung%20M%C3%A4rz.pdf`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);

    expect(await api.call('DELETE', `${files()}/${file.id}`)).toMatchObject({
      status: 200,
      body: { id: file.id, deleted: true },
    });
    for (const [method, path] of [
      ['GET', `${files()}/${file.id}`],
      ['GET', contentPath(browserId, file.id)],
      ['DELETE', `${files()}/${file.id}`],
    ] as const)
      expect(await api.call(method, path)).toMatchObject({
        status: 404,
        body: { error: { code: 'FILE_NOT_FOUND' } },
      });
    expect(await filesBelow(join(server.dataDir, 'blobs'))).not.toContain(file.id);
  });

  test('may be sent as a form', async () => {
    const form = new FormData();
    form.append('file', new File([randomBytes(3000)], '🦊.bin'));
    const { status, body } = await upload(api, browserId, '', { body: form });
    expect([status, body.name, body.size, body.mimeType]).toEqual([
      201,
      '🦊.bin',
      3000,
      'application/octet-stream',
    ]);
  });

  test('may be empty', async () => {
    const { file, response, bytes } = await upAndDown('empty', new Uint8Array());
    expect([file.size, bytes.length, response.headers.get('content-length')]).toEqual([0, 0, '0']);
    expect((await download(api, browserId, file.id, { headers: { range: 'bytes=0-' } })).status).toBe(416);
  });

  test('is never served as what it is not', async () => {
    const page = Buffer.from('<script>alert(1)</script>');
    const disguised = await upload(api, browserId, named('x.png'), {
      body: page,
      headers: { 'content-type': 'image/png' },
    });
    expect(disguised.body.mimeType).toBe('text/plain');
    const { body: html } = await upload(api, browserId, named('x.html'), {
      body: page,
      headers: { 'content-type': 'text/html' },
    });
    const { headers } = await download(api, browserId, html.id);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  test('is listed page by page, newest first', async () => {
    const id = (await api.create()).body.id;
    await api.stop(id);
    for (let n = 0; n < 5; n++) await upload(api, id, named(`${n}.txt`), { body: `${n}` });
    const names: string[] = [];
    let cursor = '';
    do {
      const { body } = await api.call('GET', `${files(id)}?limit=2${cursor}`);
      names.push(...body.items.map((item: { name: string }) => item.name));
      cursor = body.hasMore ? `&cursor=${encodeURIComponent(body.nextCursor)}` : '';
    } while (cursor);
    expect(names.toSorted()).toEqual(['0.txt', '1.txt', '2.txt', '3.txt', '4.txt']);
    expect((await api.call('GET', `${files(id)}?cursor=x`)).body.error.code).toBe('INVALID_CURSOR');
    await api.remove(id);
  });
});

describe('a name', () => {
  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['a\r\nSet-Cookie: b=1', 'aSet-Cookie_ b=1'],
    [`${'n'.repeat(3000)}.txt`, `${'n'.repeat(251)}.txt`],
    ['👩‍👩‍👧‍👦 семья.png', '👩‍👩‍👧‍👦 семья.png'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['"; filename="evil.exe', '_; filename=_evil.exe'],
    ['nul.txt', '_nul.txt'],
  ])('given as %j is harmless', async (given, expected) => {
    const { file, response } = await upAndDown(given, Buffer.from('x'));
    expect(file.name).toBe(expected);
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"\\\r\n]*"(; filename\*=UTF-8''[\w%!#$&+.^`|~-]*)?$/,
    );
  });

  test('is needed where the body has none', async () => {
    for (const query of ['', '?name=', '?name=a&name=b', '?title=a'])
      expect((await upload(api, browserId, query, { body: 'x' })).body.error.code).toBe('VALIDATION_FAILED');
  });
});

describe('part of a file', () => {
  const body = Buffer.from('0123456789');
  let id: string;
  beforeAll(async () => {
    id = (await upload(api, browserId, named('digits.txt'), { body })).body.id;
  });
  const ask = async (headers: Record<string, string>) => {
    const response = await download(api, browserId, id, { headers });
    return [response.status, await response.text(), response.headers.get('content-range')];
  };
  const etag = `"${sha256(body)}"`;

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=9-1', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('%s is answered with %i and %s', async (range, ...expected) => {
    expect(await ask({ range })).toEqual(expected);
  });

  test('past the end is refused with the length', async () => {
    const response = await download(api, browserId, id, { headers: { range: 'bytes=10-' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(await response.json()).toMatchObject({
      error: { code: 'RANGE_NOT_SATISFIABLE', details: { size: 10 } },
    });
  });

  test('is sent only of the content that was asked for', async () => {
    expect(await ask({ range: 'bytes=2-4', 'if-range': etag })).toEqual([206, '234', 'bytes 2-4/10']);
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect(await ask({ range: 'bytes=2-4', 'if-range': other })).toEqual([200, '0123456789', null]);
  });

  test('and whole ones are not sent again to who has them', async () => {
    for (const has of [etag, `"other", W/${etag}`, '*']) {
      const response = await download(api, browserId, id, {
        headers: { 'if-none-match': has, range: 'bytes=50-' },
      });
      expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, etag, '']);
    }
    expect(await ask({ 'if-none-match': '"other"' })).toEqual([200, '0123456789', null]);
  });

  test('HEAD tells of the whole and sends nothing', async () => {
    const response = await download(api, browserId, id, { method: 'HEAD', headers: { range: 'bytes=2-4' } });
    expect([response.status, response.headers.get('content-length'), response.headers.get('etag')]).toEqual([
      200,
      '10',
      etag,
    ]);
    const known = await download(api, browserId, id, { method: 'HEAD', headers: { 'if-none-match': etag } });
    expect([known.status, known.headers.get('content-length')]).toEqual([304, null]);
  });
});
