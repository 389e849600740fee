import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PNG } from 'pngjs';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureAt } from '../support/capture-client.ts';
import type { Answer } from '../support/client.ts';
import { chromiumOf, filesIn, processesOf } from '../support/leaks.ts';
import { type ScrapeSite, startScrapeSite } from '../support/scrape-site.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: ScrapeSite;
/** Shows what it was sent, and gives a cookie. */
let mirror: Server;
let mirrorUrl: string;
const policy = { privateAccess: { localhost: true } };
const mostBrowsers = 4;

beforeAll(async () => {
  site = await startScrapeSite();
  mirror = createServer(({ headers }, response) => {
    response.setHeader('set-cookie', 'visited=yes');
    response
      .setHeader('content-type', 'text/html')
      .end(`<title>mirror</title><pre>${JSON.stringify(headers)}</pre>`);
  }).listen(0, '127.0.0.1');
  await once(mirror, 'listening');
  mirrorUrl = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`;
  server = await startServer({ BROWSERD_MAX_BROWSERS: String(mostBrowsers) });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  mirror.close();
  await site[Symbol.asyncDispose]();
  expect(processesOf(server.scratchDir)).toEqual([]);
  expect(await filesIn(server.scratchDir)).toEqual([]);
});

const scrape = (path: string, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  server.api.call('POST', '/v1/scrape', { body: { url: site.origin + path, policy, ...more }, headers });
const codeOf = async (path: string, more: object = {}): Promise<[number, string]> => {
  const { status, body } = await scrape(path, more);
  return [status, body.error?.code];
};
/** Nothing is held any more. */
const allFree = (): Promise<string> =>
  eventually(
    async () => (await server.api.call('GET', '/metrics')).body,
    (text) => /^browserd_capacity_used 0$/m.test(text),
  );
describe('one request', () => {
  test('gives the content of a page, and leaves no browser behind', async () => {
    const { status, body } = await scrape('/article', { include: ['headings'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ statusCode: 200, finalUrl: `${site.origin}/article`, format: 'markdown' });
    expect(body.content).toContain('Paragraph 5 tells');
    expect(body.content).not.toContain('Copyright');
    expect(body.headings.length).toBeGreaterThan(0);
    expect((await server.api.call('GET', '/v1/browsers')).body.items).toEqual([]);
    await allFree();
  });

  test('gives a picture of an address, or of HTML, as it was asked to look', async () => {
    const taken = await captureAt(server.api, '/v1/screenshot', {
      html: '<body style="margin:0;background:rgb(10,200,30)">',
      viewport: { width: 320, height: 200, deviceScaleFactor: 2 },
    });
    expect(taken.status).toBe(200);
    const { width, height, data } = PNG.sync.read(taken.bytes);
    expect({ width, height, pixel: [...data.subarray(0, 3)] }).toEqual({
      width: 640,
      height: 400,
      pixel: [10, 200, 30],
    });
    const missing = await captureAt(server.api, '/v1/screenshot', {
      url: `${site.origin}/missing`,
      policy,
      format: 'jpeg',
    });
    expect(missing.headers.get('content-type')).toBe('image/jpeg');
    expect(missing.headers.get('x-status-code')).toBe('404');
    expect(missing.headers.get('x-final-url')).toBe(`${site.origin}/missing`);
  });

  test('gives a PDF', async () => {
    const printed = await captureAt(server.api, '/v1/pdf', {
      url: `${site.origin}/redirect`,
      policy,
      format: 'a4',
    });
    expect(printed.status).toBe(200);
    expect(printed.headers.get('x-final-url')).toBe(`${site.origin}/article`);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(printed.bytes)), {
      mergePages: true,
    });
    expect(text).toContain('Paragraph 1 tells');
    await allFree();
  });

  test('needs one destination, and only one', async () => {
    for (const body of [{}, { url: mirrorUrl, html: '<p>' }, { url: 'file:///etc/passwd' }])
      expect(await server.api.call('POST', '/v1/scrape', { body })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_FAILED' } },
      });
  });
});

describe('the browser of one request', () => {
  const sent = async (more: object = {}): Promise<Record<string, string>> => {
    const body = { url: mirrorUrl, policy, format: 'text', mainContent: false, ...more };
    const answer = await server.api.call('POST', '/v1/scrape', { body });
    return JSON.parse(answer.body.content);
  };

  test('looks as it was asked to', async () => {
    const headers = await sent({
      userAgent: 'otter/1',
      locale: 'de-DE',
      extraHeaders: { 'x-otter': 'yes' },
      cookies: [{ name: 'given', value: 'here', url: mirrorUrl }],
    });
    expect(headers).toMatchObject({ 'user-agent': 'otter/1', 'x-otter': 'yes', cookie: 'given=here' });
    expect(headers['accept-language']).toMatch(/^de-DE/);
  });

  test('knows nothing of the one before, and the next nothing of it', async () => {
    await sent({ cookies: [{ name: 'given', value: 'here', url: mirrorUrl }], userAgent: 'otter/1' });
    const headers = await sent();
    expect(headers.cookie).toBeUndefined();
    expect(headers['user-agent']).toContain('Chrome');
  });

  test('keeps to its own policy, also beside others', async () => {
    const [allowed, refused, ...others] = await Promise.all([
      scrape('/article'),
      server.api.call('POST', '/v1/scrape', { body: { url: `${site.origin}/article` } }),
      scrape('/listing', { policy: { ...policy, blockedDomains: ['127.0.0.1'] } }),
      scrape('/listing'),
    ]);
    expect(allowed.status).toBe(200);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'POLICY_BLOCKED' } } });
    expect(others.map(({ status }) => status)).toEqual([403, 200]);
  });

  test('takes its proxy, and never another way', async () => {
    const answer = await scrape('/article', { proxy: 'http://127.0.0.1:9' });
    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'PROXY_UNREACHABLE' } } });
  });

  test('is gone when its caller hangs up, or its Chromium ends', async () => {
    const caller = new AbortController();
    const hanging = captureAt(
      server.api,
      '/v1/screenshot',
      { url: `${site.origin}/drips`, policy, waitFor: '#never' },
      caller.signal,
    ).catch((error: Error) => error.name);
    await eventually(async () => site.asked.includes('/drips'), Boolean);
    caller.abort();
    expect(await hanging).toBe('AbortError');
    await allFree();
    const crashed = scrape('/drips', { waitFor: '#never-either' });
    await eventually(async () => site.asked.filter((path) => path === '/drips').length > 1, Boolean);
    for (const pid of chromiumOf(server.scratchDir)) process.kill(pid, 'SIGKILL');
    expect(await crashed).toMatchObject({ status: 503, body: { error: { code: 'BROWSER_CRASHED' } } });
    expect((await scrape('/article')).status).toBe(200);
    await allFree();
  });

  test('is noted by events of the project', async () => {
    await scrape('/article');
    await codeOf('/circle');
    const noted = async () => {
      const { body } = await server.api.call('GET', '/v1/events?type=quick.*&limit=100');
      return body.items.map((event: { type: string; data: object }) => ({ type: event.type, ...event.data }));
    };
    await eventually(noted, (events) =>
      events.some(({ code }: { code?: string }) => code === 'NAVIGATION_FAILED'),
    );
    expect(await noted()).toContainEqual(
      expect.objectContaining({ type: 'quick.completed', action: 'scrape', url: `${site.origin}/article` }),
    );
  });
});

describe('a hostile page', () => {
  test.each([
    ['/loops', { timeoutMs: 1500 }, 504, 'QUICK_ACTION_TIMEOUT'],
    ['/drips', { waitFor: 'load', timeoutMs: 1500 }, 504, 'QUICK_ACTION_TIMEOUT'],
    ['/circle', {}, 422, 'NAVIGATION_FAILED'],
    ['/file', {}, 422, 'NAVIGATION_FAILED'],
    ['/bottomless', {}, 503, 'PAGE_CRASHED'],
  ])('%s gets the right answer', async (path, more, status, code) => {
    expect(await codeOf(path, { timeoutMs: 120_000, ...more })).toEqual([status, code]);
  });

  test('that asks at the start, never loads or never rests is read all the same', async () => {
    const read = async (path: string) => {
      const { status, body } = await scrape(path);
      expect([path, status, body.error]).toEqual([path, 200, undefined]);
    };
    await Promise.all(['/alerts', '/never-loads', '/polls', '/framed'].map(read));
    const partial = await scrape('/loops', { timeoutMs: 4000, partial: true });
    expect(partial.body).toMatchObject({ timedOut: true });
  });

  // what counts for callers: as many browsers as there may be can be created
  test('leaves nothing; one counts as a browser while it works: past the capacity it is turned away, or waits in line', async () => {
    const ids = await Promise.all(
      Array.from({ length: mostBrowsers }, async () => {
        const { body } = await eventually(
          () => server.api.create(),
          ({ status }) => status !== 429,
        );
        return body.id;
      }),
    );
    expect(await codeOf('/article')).toEqual([429, 'CAPACITY_EXHAUSTED']);
    const waiting = scrape('/article', {}, { prefer: 'wait=120' });
    await Promise.all(ids.map((id) => server.api.remove(id)));
    expect((await waiting).status).toBe(200);
  });
});
