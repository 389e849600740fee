import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { named } from '../support/file-client.ts';
import { makeKey } from '../support/keys.ts';
import { filesBelow } from '../support/leaks.ts';
import { projectFile, uploadToProject } from '../support/project-file-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

let server: TestServer;
let api: Api;

beforeAll(async () => {
  server = await startServer();
  api = server.api;
});
afterAll(() => server[Symbol.asyncDispose]());

const html = `<title>Stored</title><body style="margin:0"><div id=a style="width:30px;height:20px;background:#0f0"></div>
  <div id=b style="width:50px;height:40px;background:#00f"></div>`;
const bytesAt = async ({ url }: { url: string }) => Buffer.from(await (await fetch(url)).arrayBuffer());
const filesOf = async (by = api) => (await by.call('GET', '/v1/files?limit=100')).body.items;

describe('a quick action that stores what it makes', () => {
  test('answers with the file of a screenshot, and an address that shows it to everybody who has it', async () => {
    const { status, body } = await api.call('POST', '/v1/screenshot', { body: { html, store: true } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ url: 'about:blank', statusCode: null, files: [{ expiresAt: null }] });
    const [{ address, ...file }] = body.files;
    expect(file).toMatchObject({ name: 'screenshot.png', mimeType: 'image/png', source: 'screenshot' });
    expect((await api.call('GET', projectFile(file.id))).body).toEqual(file);
    const picture = PNG.sync.read(await bytesAt(address));
    expect([...picture.data.subarray(0, 3)]).toEqual([0, 255, 0]);
    expect(Date.parse(address.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test('has a name and a time of its own where the caller gives them', async () => {
    const { body } = await api.call('POST', '/v1/pdf', {
      body: { html, store: { name: '../report', ttlSeconds: 600 } },
    });
    const [{ address, ...file }] = body.files;
    expect(file).toMatchObject({ name: 'report', mimeType: 'application/pdf', source: 'pdf' });
    expect(Date.parse(file.expiresAt) - Date.parse(file.createdAt)).toBe(600_000);
    expect(address.expiresAt).toBe(file.expiresAt);
    expect((await bytesAt(address)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('stores a picture of each selector, in their order', async () => {
    const { body } = await api.call('POST', '/v1/screenshot', {
      body: { html, selectors: ['#b', '#a'], store: { name: 'part.png' } },
    });
    expect(body.files).toMatchObject([
      { selector: '#b', name: 'part-1.png' },
      { selector: '#a', name: 'part-2.png' },
    ]);
    const sizes = await Promise.all(
      body.files.map(async ({ address }: { address: { url: string } }) => {
        const { width, height } = PNG.sync.read(await bytesAt(address));
        return [width, height];
      }),
    );
    expect(sizes).toEqual([
      [50, 40],
      [30, 20],
    ]);
  });

  test.each([
    ['markdown', 'page.md', 'text/markdown'],
    ['json', 'page.json', 'application/json'],
  ])('stores what it read of a page as %s', async (format, name, mimeType) => {
    const { status, body } = await api.call('POST', '/v1/scrape', {
      body: { html: '<title>T</title><h1>Hello</h1><p>World', mainContent: false, format, store: true },
    });
    expect(status).toBe(201);
    expect(body.files).toMatchObject([{ name, mimeType, source: 'scrape' }]);
    const text = (await bytesAt(body.files[0].address)).toString();
    expect(format === 'json' ? JSON.parse(text) : text).toEqual(body.content);
  });

  test('has the HAR beside the files where it is asked for', async () => {
    const { body } = await api.call('POST', '/v1/pdf', { body: { html, include: ['har'], store: true } });
    expect(body).toMatchObject({ har: { log: { version: '1.2' } }, files: [{ name: 'page.pdf' }] });
  });

  test('stores nothing twice under one Idempotency-Key, at once or one after the other', async () => {
    const by = api.as(await makeKey(server.dataDir, { project: 'once' }));
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () =>
      by.call('POST', '/v1/screenshot', { body: { html, selectors: ['#a', '#b'], store: true }, headers });
    const answers = [...(await Promise.all([ask(), ask()])), await ask()];
    const ids = answers.map(({ body }) => body.files.map(({ id }: { id: string }) => id));
    expect(new Set(ids.map(String)).size).toBe(1);
    expect((await filesOf(by)).map(({ id }: { id: string }) => id).toSorted()).toEqual(ids[0].toSorted());
    expect(answers[2]?.headers.get('idempotent-replayed')).toBe('true');
    // each has addresses of its own, and all are good
    for (const { body } of answers)
      for (const { address } of body.files) expect((await fetch(address.url)).status).toBe(200);
    const other = await by.call('POST', '/v1/screenshot', { body: { html, store: true }, headers });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('goes on when its caller has gone, and a repetition finds what it stored', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const by = api.as(await makeKey(server.dataDir, { project: 'gone' }));
    const gate = `${site.origin}/gate`;
    const asked = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${by.key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        url: gate,
        policy: { privateAccess: { localhost: true } },
        store: true,
        timeoutMs: 120_000,
      }),
    };
    const visits = () => site.requests.filter(({ url }) => url === '/gate').length;
    const hangUp = new AbortController();
    const left = fetch(`${by.url}/v1/screenshot`, { ...asked, signal: hangUp.signal }).catch(() => 'left');
    await eventually(
      async () => visits(),
      (count) => count === 1,
    );
    hangUp.abort();
    expect(await left).toBe('left');
    const again = fetch(`${by.url}/v1/screenshot`, asked);
    site.openGate();
    const { files } = (await (await again).json()) as { files: { id: string }[] };
    expect((await filesOf(by)).map(({ id }: { id: string }) => id)).toEqual(files.map(({ id }) => id));
    expect(visits()).toBe(1);
  });

  test('leaves nothing, and no browser in use, when the project has no room for it', async () => {
    await using own = await startServer({ BROWSERD_STORAGE_QUOTA: '2KiB', BROWSERD_MAX_BROWSERS: '1' });
    await uploadToProject(own.api, named('most of it'), { body: new Uint8Array(2000) });
    const before = await filesBelow(join(own.dataDir, 'blobs'));
    for (const [path, body] of [
      ['/v1/pdf', { html, store: true }],
      ['/v1/screenshot', { html, selectors: ['#a', 'body'], store: true }],
      ['/v1/pdf', { html, store: true }],
    ] as const) {
      const answer = await own.api.call('POST', path, { body, headers: { prefer: 'wait=60' } });
      expect([answer.status, answer.body.error.code]).toEqual([413, 'QUOTA_EXCEEDED']);
    }
    expect(await filesBelow(join(own.dataDir, 'blobs'))).toEqual(before);
  });
});
