import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RulesSite, startRulesSite } from '../support/rules-site.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: RulesSite;
beforeAll(async () => {
  site = await startRulesSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const open = { privateAccess: { localhost: true } };
const any = { match: {}, do: { action: 'block' } };

describe('a rule that makes no sense is refused', () => {
  const to = (url: string) => ({ match: {}, do: { action: 'redirect', url } });
  const set = (name: string) => ({ match: {}, do: { action: 'headers', set: { [name]: 'x' } } });
  const answer = (more: object) => ({ match: {}, do: { action: 'respond', ...more } });
  test.each([
    [
      'a WebSocket by its address',
      { match: { url: 'wss://a.example/*' }, do: { action: 'block' } },
      'WebSockets',
    ],
    ['a host with a port', { match: { host: 'a.example:80' }, do: { action: 'block' } }, 'not a host'],
    ['too many stars', { match: { url: '*a'.repeat(21) }, do: { action: 'block' } }, 'stars'],
    ['a redirect to a private address', to('http://10.0.0.1/'), 'private_address'],
    ['a redirect to a blocked host', to('https://evil.example/'), 'blocked_domain'],
    ['a redirect with a password', to('https://me:secret@a.example/'), 'password'],
    ['the header Host', set('Host'), 'Host'],
    ['the header Content-Length', set('content-length'), 'content-length'],
    ['the header Cookie', set('Cookie'), 'cookies'],
    ['a header of the proxy', set('Proxy-Authorization'), 'Proxy-Authorization'],
    ['an answer that sets cookies', answer({ headers: { 'Set-Cookie': 'a=b' } }), 'Set-Cookie'],
    ['an answer that redirects', answer({ status: 302 }), 'redirect'],
    ['a file at create', answer({ fileId: 'file_x' }), 'no files yet'],
    ['a headers action that changes none', { match: {}, do: { action: 'headers' } }, '`set` or `remove`'],
  ])('%s', async (_, rule, words) => {
    const policy = { ...open, blockedDomains: ['evil.example'], rules: [rule] };
    const { status, body } = await server.api.create({ policy });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(JSON.stringify(body.error)).toContain(words);
  });

  test('more than 200 of them', async () => {
    const { status, body } = await server.api.create({
      policy: { rules: Array.from({ length: 201 }, () => any) },
    });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

test('200 rules and a page that asks thousands of times leave the service responsive', async () => {
  const rules = Array.from({ length: 200 }, (_, n) => ({
    match: n % 2 ? { host: `h${n}.localhost` } : { url: `*/flood/*${n}*z*` },
    do: { action: 'block' },
  }));
  const { body } = await server.api.create({
    policy: { ...open, rules: [...rules.slice(1), { match: { url: '*/flood/*' }, do: { action: 'block' } }] },
  });
  const script = scriptClient(server, body.id);
  const flood = script.resultOf(
    `await page.goto(${JSON.stringify(site.at('shop', '/'))});
     return page.evaluate(async () => {
       let failed = 0;
       for (let round = 0; round < 30; round++)
         await Promise.all(Array.from({ length: 100 }, (_, n) => fetch('/flood/' + round + '/' + n).catch(() => failed++)));
       return failed;
     })`,
    { timeoutMs: 120_000 },
  );
  let answered = 0;
  let done = false;
  void flood.finally(() => {
    done = true;
  });
  while (!done) {
    expect((await server.api.get(body.id)).status).toBe(200);
    answered++;
    // what asks without a pause is itself what keeps the service busy
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await flood).toBe(3000);
  expect(answered).toBeGreaterThan(10);
  const hits: number[] = (await server.api.get(body.id)).body.ruleHits.rules;
  expect(hits.reduce((sum, each) => sum + each, 0)).toBe(3000);
  await server.api.remove(body.id);
});

test('a page may send far more than a message of Chromium may hold', async () => {
  const rules = [{ match: { url: '*' }, do: { action: 'delay', ms: 1 } }];
  const { body } = await server.api.create({
    policy: { ...open, rules },
    startUrl: site.at('shop', '/sends'),
  });
  await vi.waitFor(() => expect(site.seen).toContain('shop /sent'), { timeout: 170_000, interval: 50 });
  expect(site.headers.get('/sent')).toMatchObject({ 'content-length': String(40 * 1024 ** 2) });
  expect((await server.api.get(body.id)).body).toMatchObject({ status: 'ready', epoch: 1 });
  await server.api.remove(body.id);
});

describe('a quick action', () => {
  const scrape = (more: object) =>
    server.api.call('POST', '/v1/scrape', { body: { url: site.at('shop', '/x'), format: 'text', ...more } });

  test('has rules of its own, which no other one notices', async () => {
    const rule = (text: string) => ({
      match: { url: '*/x' },
      do: { action: 'respond', headers: { 'content-type': 'text/html' }, body: `<p>${text}</p>` },
    });
    const answers = await Promise.all([
      scrape({ policy: { ...open, rules: [rule('first')] } }),
      scrape({ policy: { ...open, rules: [rule('second')] } }),
      scrape({ policy: open }),
      scrape({ policy: { ...open, rules: [rule('first')] } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const texts = answers.map(({ body }) => String(body.content).trim());
    expect(texts).toEqual(['first', 'second', 'here is shop /x', 'first']);
    const after = await scrape({ policy: open });
    expect(String(after.body.content).trim()).toBe('here is shop /x');
  });
});
