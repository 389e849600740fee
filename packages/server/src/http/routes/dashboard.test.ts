import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../test-service.ts';

/** A build as vite makes it, with a file beside it that must not be served. */
let folder: string;
let service: TestService;
const script = 'console.log(1);\n';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-dashboard-'));
  await mkdir(join(folder, 'built/assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'built/sources.sha256'), 'secret');
  await writeFile(join(folder, 'built/index.html'), '<!doctype html><title>browserd</title>');
  await writeFile(join(folder, 'built/assets/index-B1a2.js'), script);
  service = await startTestService({}, { dashboardDir: join(folder, 'built') });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const get = (path: string, init: RequestInit = {}) => service.call(path, { key: null, ...init });

test('one page stands behind the root and every path of the application, without a key', async () => {
  for (const path of ['/', '/app', '/app/', '/app/browsers/browser_1?tab=console', '/app/a%2f..%2fb']) {
    const answer = await get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toContain('<title>browserd</title>');
  }
});

test('no code but its own can get into the page, and no other site can frame it or hold a reference to it', async () => {
  const { headers } = await get('/');
  const policy = headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ]),
  );
  expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

test('the page of a live address is held as tightly', async () => {
  const { headers } = await get('/live/browser_1');
  const policy = headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';.*; require-trusted-types-for 'script'/);
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

test('the scripts of that page are JavaScript, and every script that one imports is there', async () => {
  const sources = new Map<string, string>();
  const fetchAll = async (path: string): Promise<void> => {
    if (sources.has(path)) return;
    const answer = await get(path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/javascript; charset=utf-8',
    ]);
    const source = await answer.text();
    sources.set(path, source);
    const { errors, module } = parseSync('script.js', source);
    expect([path, errors]).toEqual([path, []]);
    for (const { moduleRequest } of module.staticImports)
      await fetchAll(new URL(moduleRequest.value, `http://x${path}`).pathname);
  };
  await fetchAll('/live/assets/view.js');
  expect(sources.size).toBeGreaterThan(10);
});

test('the page is asked for anew each time, and sent anew only when it has changed', async () => {
  const first = await get('/');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const etag = first.headers.get('etag') ?? '';
  const again = await get('/app/keys', { headers: { 'if-none-match': `W/${etag}` } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  expect((await get('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test('an asset may be kept for good, and HEAD tells its headers alone', async () => {
  const answer = await get('/assets/index-B1a2.js');
  expect(await answer.text()).toBe(script);
  const head = await get('/assets/index-B1a2.js', { method: 'HEAD' });
  expect(await head.text()).toBe('');
  for (const { status, headers } of [answer, head]) {
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('content-length')).toBe(String(script.length));
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test('no other file can be had, however its path is written', async () => {
  const paths = [
    '/assets/',
    '/assets/missing.js',
    '/sources.sha256',
    '/assets/..%2fsources.sha256',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5csources.sha256',
    '/assets/index-B1a2.js%00.png',
    '/assets//index-B1a2.js',
    '/assets/INDEX-b1a2.js',
  ];
  for (const path of paths) {
    const answer = await service.raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect([path, answer.split('\r\n', 1)[0]]).toEqual([path, expect.stringMatching(/ 40[04] /)]);
    expect(answer).toContain('"code":');
    expect(answer).not.toContain('secret"');
  }
  const missing = await get('/assets/missing.js');
  expect(((await missing.json()) as { error: { code: string } }).error.code).toBe('ROUTE_NOT_FOUND');
});

test('nothing can be sent to it', async () => {
  for (const path of ['/', '/app/browsers', '/assets/index-B1a2.js']) {
    const answer = await get(path, { method: 'POST', body: '{}' });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
});

test('where none was built, the page says how to build it, and the API is there all the same', async () => {
  await using bare = await startTestService({}, { dashboardDir: join(folder, 'nowhere') });
  const answer = await bare.call('/app/browsers', { key: null });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await answer.text()).toContain('npm run build');
  expect((await bare.call('/health')).status).toBe(200);
});
