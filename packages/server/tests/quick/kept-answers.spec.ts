/** Answers that are given again (`maxAgeMs`): when, to whom, and what is left of them. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { captureAt } from '../support/capture-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: Server;
let origin: string;
/** What the site was asked for its pages, oldest first. */
let asked: { path: string; headers: IncomingHttpHeaders }[] = [];
/** Of `/versioned`. */
let version = 1;
let gate = Promise.withResolvers<void>();
const policy = { privateAccess: { localhost: true } };
const hour = 3_600_000;
const secretText = 'kept answers must not lie about in the clear';

beforeAll(async () => {
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/favicon.ico') return void response.writeHead(404).end();
    asked.push({ path: pathname, headers: request.headers });
    const page = (status: number, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'text/html', ...headers })
        .end(`<title>Visit ${asked.length}</title><p>${secretText}. Visit ${asked.length}.</p>`);
    if (pathname === '/gated') return void gate.promise.then(() => page(200));
    if (pathname === '/broken') return void page(500);
    if (pathname === '/moved') return void response.writeHead(302, { location: '/versioned' }).end();
    if (pathname === '/versioned') {
      const etag = `"v${version}"`;
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
      return void page(200, { etag });
    }
    if (pathname === '/dated') {
      const date = 'Mon, 05 Jan 2026 10:00:00 GMT';
      if (request.headers['if-modified-since'] === date) return void response.writeHead(304).end();
      return void page(200, { 'last-modified': date });
    }
    page(200);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  server = await startServer({ BROWSERD_ANSWER_CACHE: '512KiB', BROWSERD_STORAGE_QUOTA: '64KiB' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  site.close();
});
beforeEach(() => {
  asked = [];
});

/** Every test has addresses of its own. */
const address = (path: string): string => `${origin}${path}?${randomUUID()}`;
const scrape = async (url: string, more: object = {}) => {
  const { status, body } = await server.api.call('POST', '/v1/scrape', {
    body: { url, policy, maxAgeMs: hour, ...more },
  });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body;
};
const keptFiles = async (): Promise<string[]> => {
  const all = await readdir(server.dataDir, { recursive: true });
  return all.filter((path) => /answer_[0-9a-z]{26}/.test(path));
};

describe('an answer that is young enough', () => {
  test('is given again without a visit, and says since when it is there', async () => {
    const url = address('/page');
    const first = await scrape(url, { include: ['headings'] });
    const again = await scrape(url, { include: ['headings'], timeoutMs: 20_000, partial: true });
    expect(first.fromCache).toBe(false);
    expect(again).toMatchObject({ fromCache: true, content: first.content, title: 'Visit 1' });
    expect(Math.abs(Date.parse(again.cachedAt) - Date.now())).toBeLessThan(hour);
    expect(asked).toHaveLength(1);
    const { body } = await server.api.call('GET', '/v1/events?type=quick.completed&limit=100');
    const mine = body.items.filter((each: { data: { url?: string } }) => each.data.url === url);
    expect(mine.map((each: { data: object }) => 'fromCache' in each.data).toSorted()).toEqual([false, true]);
  });

  test('is not given to one that asks for anything else, or does not say how old it may be', async () => {
    const url = address('/page');
    await scrape(url);
    for (const other of [{ format: 'text' }, { cookies: [{ name: 'a', value: 'b', url: origin }] }])
      expect((await scrape(url, other)).fromCache).toBe(false);
    const plain = await scrape(url, { maxAgeMs: undefined });
    expect(plain).not.toHaveProperty('fromCache');
    expect((await scrape(url, { maxAgeMs: 0 })).fromCache).toBe(false);
    expect(asked).toHaveLength(5);
  });

  test.each(['/v1/screenshot', '/v1/pdf'])(
    'of %s is bytes, with what a cache says in headers',
    async (path) => {
      const body = { url: address('/page'), policy, maxAgeMs: hour };
      const first = await captureAt(server.api, path, body);
      const again = await captureAt(server.api, path, body);
      expect(first.headers.get('cache-status')).toBe('browserd; fwd=miss; stored');
      expect(first.headers.get('age')).toBeNull();
      expect(again.headers.get('cache-status')).toMatch(/^browserd; hit; ttl=\d+$/);
      expect(Number(again.headers.get('age'))).toBeLessThan(hour / 1000);
      expect(again.bytes.equals(first.bytes)).toBe(true);
      expect(again.headers.get('x-status-code')).toBe('200');
      expect(asked).toHaveLength(1);
    },
  );

  test('of several elements is all of their pictures', async () => {
    const body = { url: address('/page'), policy, maxAgeMs: hour, selectors: ['p', 'body'] };
    const first = await server.api.call('POST', '/v1/screenshot', { body });
    const again = await server.api.call('POST', '/v1/screenshot', { body });
    expect(first.body.pictures).toHaveLength(2);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('cache-status')).toContain('hit');
    expect(asked).toHaveLength(1);
  });

  test('is not kept when it is not good, and a HAR is only of visits', async () => {
    const url = address('/broken');
    for (const visits of [1, 2]) {
      expect((await scrape(url)).fromCache).toBe(false);
      expect(asked).toHaveLength(visits);
    }
    const har = { body: { url, policy, maxAgeMs: hour, include: ['har'] } };
    expect((await server.api.call('POST', '/v1/scrape', har)).body.error.code).toBe('VALIDATION_FAILED');
  });
});

describe('an answer that is too old', () => {
  test.each(['/versioned', '/dated', '/moved'])(
    'of %s is given again when the site says that it is still the same',
    async (path) => {
      const url = address(path);
      const first = await scrape(url, { maxAgeMs: 0 });
      const visits = asked.length;
      const again = await scrape(url, { maxAgeMs: 0 });
      expect(again).toMatchObject({ fromCache: true, revalidated: true, content: first.content });
      expect(asked).toHaveLength(visits * 2);
      expect(asked.at(-1)?.headers[path === '/dated' ? 'if-modified-since' : 'if-none-match']).toBeDefined();
      // The site has just said so: it is young again.
      expect(await scrape(url)).toMatchObject({ fromCache: true });
      expect(asked).toHaveLength(visits * 2);
    },
  );

  test('is replaced, with one visit, when the site has another', async () => {
    const url = address('/versioned');
    const first = await scrape(url, { maxAgeMs: 0 });
    version++;
    const again = await scrape(url, { maxAgeMs: 0 });
    expect(again.fromCache).toBe(false);
    expect(again.content).not.toBe(first.content);
    expect(asked).toHaveLength(2);
    expect((await scrape(url)).content).toBe(again.content);
    const picture = { url: address('/versioned'), policy, maxAgeMs: 0 };
    const statuses = [];
    for (let n = 0; n < 2; n++)
      statuses.push((await captureAt(server.api, '/v1/screenshot', picture)).headers.get('cache-status'));
    expect(statuses).toEqual(['browserd; fwd=miss; stored', 'browserd; fwd=stale; fwd-status=304; ttl=0']);
  });
});

describe('callers at the same time', () => {
  const send = (url: string, signal?: AbortSignal) =>
    fetch(`${server.api.url}/v1/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.api.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, policy, maxAgeMs: hour, timeoutMs: 120_000 }),
      signal,
    });
  const titleOf = async (answer: Promise<Response>) =>
    ((await (await answer).json()) as { title?: string }).title;
  const isAsked = () =>
    eventually(
      async () => asked.length,
      (visits) => visits === 1,
    );

  test('get one answer of one visit', async () => {
    gate = Promise.withResolvers();
    const url = address('/gated');
    const all = [send(url), send(url), send(url)];
    await isAsked();
    gate.resolve();
    expect(await Promise.all(all.map(titleOf))).toEqual(['Visit 1', 'Visit 1', 'Visit 1']);
    expect(asked).toHaveLength(1);
  });

  test('get theirs when the first of them leaves', async () => {
    gate = Promise.withResolvers();
    const url = address('/gated');
    const leaves = new AbortController();
    const first = send(url, leaves.signal).catch(() => 'left');
    await isAsked();
    const others = [send(url), send(url)];
    leaves.abort();
    expect(await first).toBe('left');
    gate.resolve();
    for (const title of await Promise.all(others.map(titleOf))) expect(title).toMatch(/^Visit [12]$/);
  });
});

describe('what is kept', () => {
  test('is sealed, and says nothing of the page or the request', async () => {
    await scrape(address('/page'), { extraHeaders: { 'x-token': 'a-token-of-the-caller' } });
    const files = await keptFiles();
    expect(files.length).toBeGreaterThan(0);
    for (const path of [...files, 'browserd.sqlite', 'browserd.sqlite-wal']) {
      const bytes = await readFile(join(server.dataDir, path)).catch(() => Buffer.alloc(0));
      expect(bytes.includes(secretText)).toBe(false);
      expect(bytes.includes('a-token-of-the-caller')).toBe(false);
    }
  });

  test('goes with the profile that the page began with', async () => {
    const profile = (
      await server.api.call('POST', '/v1/profiles', {
        body: { storageState: { cookies: [], origins: [] } },
        headers: { 'idempotency-key': randomUUID() },
      })
    ).body;
    const before = new Set(await keptFiles());
    const url = address('/page');
    await scrape(url, { profile: { id: profile.id } });
    expect((await scrape(url, { profile: { id: profile.id } })).fromCache).toBe(true);
    const mine = (await keptFiles()).filter((path) => !before.has(path));
    expect(mine).toHaveLength(1);
    const deleted = await server.api.call('DELETE', `/v1/profiles/${profile.id}`, {
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(deleted.status).toBe(200);
    await eventually(keptFiles, (left) => !left.some((path) => mine.includes(path)));
  });

  test('makes room by itself, and is in the way of no upload', async () => {
    const tall = { url: address('/page'), policy, maxAgeMs: hour, format: 'png' };
    const noise = `<body style="margin:0"><canvas id=c width=400 height=300></canvas><script>
      const x = c.getContext('2d'), d = x.createImageData(400, 300);
      for (let i = 0; i < d.data.length; i += 65536) crypto.getRandomValues(new Uint8Array(d.data.buffer, i, Math.min(65536, d.data.length - i)));
      for (let i = 3; i < d.data.length; i += 4) d.data[i] = 255; x.putImageData(d, 0, 0)</script>`;
    const large = (n: number) => ({
      html: `${noise}<!-- ${n} -->`,
      maxAgeMs: hour,
      viewport: { width: 400, height: 300 },
    });
    const status = async (body: object) =>
      (await captureAt(server.api, '/v1/screenshot', body)).headers.get('cache-status');
    expect(await status(tall)).toContain('stored');
    expect(await status(large(1))).toBe('browserd; fwd=miss; stored');
    expect(await status(large(2))).toBe('browserd; fwd=miss; stored');
    expect(await status(large(2))).toMatch(/^browserd; hit/);
    expect(await status(large(1))).toBe('browserd; fwd=miss; stored');
    const { id } = (await server.api.create({ policy })).body;
    const upload = await fetch(`${server.api.url}/v1/browsers/${id}/files?name=a.bin`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.api.key}`, 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(60 * 1024),
    });
    expect(upload.status).toBeLessThan(300);
    await server.api.remove(id);
  });
});
