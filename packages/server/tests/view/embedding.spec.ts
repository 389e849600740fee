import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Embedder, embeddingPages, openEmbedder, startWeb } from '../support/embedding-page.ts';
import { livePages } from '../support/live-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
/** The site that may embed, which the managed browser shows too, and one that may not. */
let site: Site;
let stranger: Site;
let web: Browser;
let id: string;

beforeAll(async () => {
  const pages = { ...livePages, ...embeddingPages };
  [server, site, stranger, web] = await Promise.all([
    startServer(),
    startSite(pages),
    startSite(pages),
    startWeb(),
  ]);
  const policy = { privateAccess: { localhost: true } };
  id = (await server.api.create({ policy, startUrl: `${site.origin}/type` })).body.id;
});
afterAll(async () => {
  await web.close();
  await Promise.all([site.close(), stranger.close()]);
  await server[Symbol.asyncDispose]();
});

const seen = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 90_000, interval: 30 });
const ask = (body: object, browserId = id) =>
  server.api.call('POST', `/v1/browsers/${browserId}/capabilities`, { body: { kind: 'live', ...body } });
const addressFor = async (origin: string, more: object = {}): Promise<string> =>
  (await ask({ mode: 'control', frameAncestors: [origin], ...more })).body.url;
const handoff = async () => (await server.api.call('GET', `/v1/browsers/${id}/handoff`)).body;
const read = async (expression: string) => {
  const body = { code: `return page.evaluate(() => ${expression})` };
  return (await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body })).body.result;
};
const policyOf = async (url: string): Promise<string> =>
  (await fetch(url)).headers.get('content-security-policy') ?? '';
const types = async (embedder: Embedder) => (await embedder.told()).map(({ type }) => type);
/** In the frame: where the viewer would show a page, the web browser shows one of its own. */
const isBlocked = (embedder: Embedder) =>
  seen(() => expect(embedder.viewer().url()).toMatch(/^chrome-error:/));

describe('an address that may be framed', () => {
  test('names exactly the origins it was made for in its policy', async () => {
    const { status, body } = await ask({
      frameAncestors: ['https://app.example.com', 'http://127.0.0.1:81'],
    });
    expect([status, body.frameAncestors]).toEqual([201, ['https://app.example.com', 'http://127.0.0.1:81']]);
    const { headers } = await fetch(body.url);
    expect(headers.get('content-security-policy')).toMatch(
      /(^|; )frame-ancestors https:\/\/app\.example\.com http:\/\/127\.0\.0\.1:81(;|$)/,
    );
    expect(headers.get('x-frame-options')).toBeNull();
    expect(new URL(body.url).search).not.toContain(new URL(body.url).hash.slice(1));
    const { url } = (await ask({})).body;
    expect(await policyOf(url)).toContain("frame-ancestors 'self'");
    const path = `/v1/browsers/${id}/handoff`;
    const asked = await server.api.call('POST', path, { body: { frameAncestors: ['https://a.example'] } });
    expect(await policyOf(asked.body.url)).toContain('frame-ancestors https://a.example;');
    const unknown = await server.api.call('POST', path, { body: { tabId: 'none' } });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'TAB_NOT_FOUND']);
    await server.api.call('DELETE', path);
  });

  test('is for this browser, and its part of the address cannot be forged', async () => {
    const url = new URL(await addressFor('https://app.example.com'));
    const embed = url.searchParams.get('embed') ?? '';
    const other = (await server.api.create()).body.id;
    const [text = '', signature = ''] = embed.split('.');
    const wishful = Buffer.from(JSON.stringify([id, 'https://evil.example'])).toString('base64url');
    const forged = [
      [other, embed],
      [id, `bde_${wishful}.${signature}`],
      [id, `${text}.${'A'.repeat(43)}`],
      [id, url.hash.slice(1)],
      [id, ''],
      [id, '*'],
      [id, 'https://evil.example'],
      [id, `${embed}A`],
      [id, `bde_${'A'.repeat(8000)}.${signature}`],
    ] as const;
    for (const [browserId, framing] of forged) {
      const policy = await policyOf(`${url.origin}/live/${browserId}?embed=${encodeURIComponent(framing)}`);
      expect(policy, framing).toContain("frame-ancestors 'self'");
    }
    // nor is it a token
    const { status } = await fetch(`${url.origin}/v1/browsers/${id}/live?token=${embed}`);
    expect(status).toBe(401);
    await server.api.remove(other);
  });

  test.each([
    ['a wildcard', '*'],
    ['a wildcard for names', 'https://*.example.com'],
    ['a second directive', 'https://a.example;script-src'],
    ['a second source', 'https://a.example https://b.example'],
    ['a second policy', 'https://a.example,default-src'],
    ['a word of policies', "'self'"],
    ['no origin', 'null'],
    ['a scheme alone', 'https:'],
    ['another scheme', 'javascript:alert(1)'],
    ['a file', 'file:///tmp'],
    ['a path', 'https://a.example/page'],
    ['a slash at the end', 'https://a.example/'],
    ['a user', 'https://me@a.example'],
    ['capitals', 'https://A.example'],
    ['the port that goes without saying', 'https://a.example:443'],
    ['an address that policies cannot name', 'http://[::1]:8080'],
    ['a line break', 'https://a.example\n'],
  ])('is not made for %s', async (_name, origin) => {
    const { status, body } = await ask({ frameAncestors: [origin] });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details.issues[0].path).toBe('frameAncestors[0]');
  });

  test('is of the kind live, and names one to ten origins', async () => {
    const origin = 'https://a.example';
    for (const body of [
      { frameAncestors: [] },
      { frameAncestors: Array.from({ length: 11 }, (_, n) => `https://a${n}.example`) },
      { kind: 'cdp', frameAncestors: [origin] },
      { kind: 'cdp', tabId: 'x' },
    ])
      expect((await ask(body)).body.error?.code).toBe('VALIDATION_FAILED');
  });
});

describe('a page that embeds', () => {
  test('is told of the connection, of hand-overs and of the end', async () => {
    const closing = (await server.api.create()).body.id;
    const url = (await ask({ mode: 'control', frameAncestors: [stranger.origin, site.origin] }, closing)).body
      .url;
    const embedder = await openEmbedder(web, site.origin);
    await embedder.embed(url);
    await seen(async () =>
      expect(await embedder.told()).toEqual([
        { type: 'ready', browserId: closing, mode: 'control' },
        { type: 'handoff', state: 'scripts' },
      ]),
    );
    const message = 'Please sign in.';
    await server.api.call('POST', `/v1/browsers/${closing}/handoff`, { body: { message } });
    await seen(async () =>
      expect((await embedder.told()).at(-1)).toEqual({ type: 'handoff', state: 'requested', message }),
    );
    await embedder.viewer().getByText(message).waitFor();
    await embedder.page.evaluate('live.takeOver()');
    await seen(async () =>
      expect((await embedder.told()).at(-1)).toMatchObject({ type: 'handoff', state: 'person' }),
    );
    await embedder.page.evaluate('live.handBack()');
    await seen(async () =>
      expect((await embedder.told()).at(-1)).toEqual({
        type: 'handoff',
        state: 'scripts',
        ended: 'returned',
      }),
    );
    await server.api.remove(closing);
    await seen(async () =>
      expect((await embedder.told()).at(-1)).toMatchObject({ type: 'closed', reason: 'browserClosed' }),
    );
    // also one that comes later
    await openEmbedder(web, site.origin).then(async (late) => {
      await late.embed(url);
      await seen(async () =>
        expect(await late.told()).toMatchObject([{ type: 'closed', reason: 'browserClosed' }]),
      );
    });
  });

  test('is told that the address is not valid any more, and goes on with a fresh one', async () => {
    const url = await addressFor(site.origin);
    const embedder = await openEmbedder(web, site.origin);
    await embedder.embed(url.replace(/.{43}$/, 'A'.repeat(43)));
    await seen(async () =>
      expect(await embedder.told()).toMatchObject([{ type: 'closed', reason: 'expired' }]),
    );
    const loaded = embedder.viewer();
    await loaded.evaluate('globalThis.isSame = true');
    await embedder.page.evaluate(`live.renew(${JSON.stringify(await addressFor(site.origin))})`);
    await seen(async () => expect(await types(embedder)).toEqual(['closed', 'ready', 'handoff']));
    expect(await loaded.evaluate('globalThis.isSame')).toBe(true);
    const elsewhere = `live.renew('https://evil.example/live/x#y')`;
    await expect(embedder.page.evaluate(elsewhere)).rejects.toThrow('of another service');
  });

  test('is as short as the guide says', async () => {
    const { page } = await openEmbedder(web, site.origin);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const fresh = await addressFor(site.origin);
    const addresses = [fresh.replace(/.{43}$/, 'A'.repeat(43))];
    await page.route('**/live-address', (route) => route.fulfill({ body: addresses.shift() ?? fresh }));
    await page.goto(`${site.origin}/guide`);
    await seen(() => expect(said).toEqual(expect.arrayContaining(['connected control'])));
    await seen(() => expect(said.some((line) => line.startsWith('driven by scripts'))).toBe(true));
  });

  test('has the text that the person copies on the person’s clipboard', async () => {
    const embedder = await openEmbedder(web, site.origin);
    await embedder.embed(await addressFor(site.origin));
    await seen(async () => expect(await types(embedder)).toContain('ready'));
    const { keyboard } = embedder.page;
    await read("field.value = ''");
    await embedder.viewer().locator('#keys').focus();
    await keyboard.type('out of the frame');
    await seen(async () => expect(await read('field.value')).toBe('out of the frame'));
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');
    const clipboard = () => embedder.viewer().evaluate('navigator.clipboard.readText()');
    await seen(async () => expect(await clipboard()).toBe('out of the frame'));
  });
});

describe('nothing is framed', () => {
  test('by an origin that was not named, nor without any named', async () => {
    const embedder = await openEmbedder(web, stranger.origin);
    await embedder.embed(await addressFor(site.origin));
    await isBlocked(embedder);
    expect(await embedder.told()).toEqual([]);
    const plain = await openEmbedder(web, site.origin);
    await plain.embed((await ask({ mode: 'control' })).body.url);
    await isBlocked(plain);
    expect(await plain.told()).toEqual([]);
  });

  test('by a page around one that was named', async () => {
    const url = await addressFor(site.origin);
    const embedder = await openEmbedder(web, stranger.origin);
    await embedder.page.goto(
      `${stranger.origin}/around#${encodeURIComponent(`${site.origin}/around#${encodeURIComponent(url)}`)}`,
    );
    const innermost = () => embedder.page.frames().find((frame) => frame.childFrames().length === 0);
    await seen(() => expect(embedder.page.frames()).toHaveLength(3));
    await seen(() => expect(innermost()?.url()).toMatch(/^chrome-error:/));
  });

  test('that other frames could speak for: neither for the embedder nor for the viewer', async () => {
    const embedder = await openEmbedder(web, site.origin);
    await embedder.embed(await addressFor(site.origin));
    await seen(async () => expect(await types(embedder)).toContain('handoff'));
    await embedder.page.evaluate('live.takeOver()');
    await seen(async () => expect((await handoff()).state).toBe('person'));
    const viewer = embedder.viewer();
    await viewer.evaluate("globalThis.came = 0; addEventListener('message', () => globalThis.came++)");
    for (const forger of [site, stranger]) {
      await embedder.page.evaluate(`(async () => {
        const frame = document.createElement('iframe');
        frame.src = '${forger.origin}/forger';
        await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame); });
        frame.contentWindow.postMessage(0, '*');
      })()`);
    }
    await seen(async () => expect(await viewer.evaluate('globalThis.came')).toBe(6));
    await seen(async () =>
      expect(await embedder.page.evaluate("heard.filter(({ message }) => message === 'forged').length")).toBe(
        2,
      ),
    );
    // said on the same line after them: when it is done, a forged wish would have been granted
    await viewer.locator('#address').fill(`${site.origin}/type?behind`);
    await viewer.locator('#address').press('Enter');
    await seen(() => expect(site.requests.map(({ url }) => url)).toContain('/type?behind'));
    expect((await handoff()).state).toBe('person');
    await viewer.locator('#control').click();
    await seen(async () => expect((await handoff()).ended).toBe('returned'));
    expect(await types(embedder)).not.toContain('closed');
  });
});
