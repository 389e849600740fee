import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { named, upload } from '../support/file-client.ts';
import { type RulesSite, startRulesSite } from '../support/rules-site.ts';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
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
const json = { 'content-type': 'application/json' };

describe.each(['shell', 'full'])('rules in the engine %s', (engine) => {
  let id: string;
  let script: ScriptClient;
  const ruled = async (...rules: object[]) => {
    const { status, body } = await server.api.patch(id, { policy: { ...open, rules } });
    expect([status, body.error]).toEqual([200, undefined]);
  };
  const hits = async (): Promise<number[]> => (await server.api.get(id)).body.ruleHits.rules;
  /** What a page of the site named `shop` gets for an address. */
  const fetched = (url: string, options = '{}') =>
    script.resultOf(
      `await page.goto(${JSON.stringify(site.at('shop', '/'))});
       return page.evaluate(([url, options]) => fetch(url, options).then(
         async (answer) => ({ status: answer.status, text: await answer.text(), redirected: answer.redirected, type: answer.headers.get('content-type') }),
         () => 'failed'), [${JSON.stringify(url)}, ${options}])`,
    );

  beforeAll(async () => {
    const rules = [{ match: { host: 'first.localhost' }, do: { action: 'block' } }];
    const { status, body } = await server.api.create({ engine, policy: { ...open, rules } });
    expect([status, body.policy]).toEqual([201, { ...open, rules }]);
    id = body.id;
    script = scriptClient(server, id);
  });
  beforeEach(() => {
    site.seen.length = 0;
  });
  afterAll(async () => {
    await server.api.remove(id);
  });

  test('hold from the first request of the browser, and are counted', async () => {
    const { message } = await script.errorOf(`await page.goto(${JSON.stringify(site.at('first', '/'))})`);
    expect(message).toContain('ERR_BLOCKED_BY_CLIENT');
    expect(site.seen).toEqual([]);
    expect(await hits()).toEqual([1]);
  });

  test('block by host, type, method and address', async () => {
    await ruled(
      { match: { host: 'other.localhost', type: 'fetch', method: 'post' }, do: { action: 'block' } },
      { match: { url: '*/secret?*' }, do: { action: 'block' } },
    );
    const other = site.at('other', '/x');
    expect(await fetched(other)).toMatchObject({ status: 200 });
    expect(await fetched(other, "{ method: 'POST' }")).toBe('failed');
    expect(await fetched(site.at('deep.other', '/x'), "{ method: 'POST' }")).toBe('failed');
    expect(await fetched(site.at('another', '/x'), "{ method: 'POST' }")).toMatchObject({ status: 200 });
    expect(await fetched('/secret?id=1')).toBe('failed');
    expect(await fetched('/secretly')).toMatchObject({ status: 200 });
    expect(await hits()).toEqual([2, 1]);
  });

  test('tell the own site from others', async () => {
    await ruled({ match: { thirdParty: true }, do: { action: 'block' } });
    expect(await fetched(site.at('other', '/x'))).toBe('failed');
    expect(await fetched(site.at('cdn.shop', '/x'))).toMatchObject({ status: 200 });
    expect(await fetched('/x')).toMatchObject({ status: 200 });
  });

  test('answer in place of the network, also for another site', async () => {
    const body = JSON.stringify({ price: 1 });
    await ruled(
      { match: { url: '*/price' }, do: { action: 'respond', headers: json, body } },
      { match: { url: '*/gone' }, do: { action: 'respond', status: 410 } },
    );
    expect(await fetched('/price')).toEqual({
      status: 200,
      text: body,
      redirected: false,
      type: 'application/json',
    });
    expect(await fetched(site.at('other', '/price'), "{ credentials: 'include' }")).toMatchObject({
      text: body,
    });
    expect(await fetched('/gone')).toMatchObject({ status: 410, text: '' });
    expect(site.seen.filter((each) => /price|gone/.test(each))).toEqual([]);
    const title = await script.resultOf(
      `await page.goto(${JSON.stringify(site.at('shop', '/price'))}); return page.evaluate(() => document.body.innerText)`,
    );
    expect(title).toContain('price');
  });

  test('answer with a file of the browser, while there is one', async () => {
    const sent = { body: '{"from":"a file"}', headers: json };
    const { body: file } = await upload(server.api, id, named('data.json'), sent);
    const match = { url: '*/data' };
    await ruled({ match, do: { action: 'respond', fileId: file.id } });
    expect(await fetched('/data')).toMatchObject({
      text: '{"from":"a file"}',
      type: expect.stringContaining('json'),
    });
    const missing = { ...open, rules: [{ match, do: { action: 'respond', fileId: 'file_none' } }] };
    expect((await server.api.patch(id, { policy: missing })).body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  test('fail as the network does', async () => {
    await ruled({ match: { host: 'other.localhost' }, do: { action: 'fail', error: 'nameNotResolved' } });
    const { message } = await script.errorOf(`await page.goto(${JSON.stringify(site.at('other', '/'))})`);
    expect(message).toContain('ERR_NAME_NOT_RESOLVED');
  });

  test('send on to another address', async () => {
    const url = site.at('other', '/there');
    await ruled({ match: { url: '*/old*' }, do: { action: 'redirect', url } });
    expect(await fetched('/old?x=1')).toMatchObject({ text: 'here is other /there', redirected: true });
    expect(await fetched(site.at('third', '/old'))).toMatchObject({ text: 'here is other /there' });
    expect(
      await script.resultOf(`await page.goto(${JSON.stringify(site.at('shop', '/old'))}); return page.url()`),
    ).toBe(url);
  });

  test('that lead in a circle end in an error', async () => {
    await ruled(
      { match: { url: '*/one' }, do: { action: 'redirect', url: site.at('shop', '/two') } },
      { match: { url: '*/two' }, do: { action: 'redirect', url: site.at('shop', '/one') } },
    );
    expect(await fetched('/one')).toBe('failed');
  });

  test('change headers, and never those of another host to which the request is sent on', async () => {
    await ruled(
      {
        match: { host: 'shop.localhost' },
        do: { action: 'headers', set: { 'X-Token': 'for the shop' }, remove: ['x-mine'] },
      },
      {
        match: { host: 'shop.localhost', url: '*/x' },
        do: { action: 'headers', set: { 'X-More': 'later' } },
      },
    );
    expect((await server.api.get(id)).body.policy.rules[0].do.set).toEqual({ 'X-Token': '•••' });
    await fetched('/x', "{ headers: { 'X-Mine': 'of the page' } }");
    expect(site.headers.get('/x')).toMatchObject({ 'x-token': 'for the shop', 'x-more': 'later' });
    expect(site.headers.get('/x')).not.toHaveProperty('x-mine');
    await fetched('/away');
    expect(site.headers.get('/away')).toHaveProperty('x-token');
    expect(site.headers.get('/asked/redirected')).not.toHaveProperty('x-token');
  });

  test('hold a request back', async () => {
    await ruled({ match: { url: '*/slow' }, do: { action: 'delay', ms: 700 } });
    const took = await script.resultOf(
      `await page.goto(${JSON.stringify(site.at('shop', '/'))});
       return page.evaluate(async () => { const began = performance.now(); await fetch('/slow'); return performance.now() - began })`,
    );
    expect(took).toBeGreaterThan(690);
  });

  test('are asked in their order until one ends the request', async () => {
    await ruled(
      { match: { url: '*/x' }, do: { action: 'headers', set: { 'X-Seen': 'yes' } } },
      { match: { url: '*/x', method: 'GET' }, do: { action: 'allow' } },
      { match: { url: '*/x' }, do: { action: 'respond', body: 'answered' } },
      { match: {}, do: { action: 'delay', ms: 1 } },
    );
    expect(await fetched('/x')).toMatchObject({ text: 'here is shop /x' });
    expect(site.headers.get('/x')).toMatchObject({ 'x-seen': 'yes' });
    expect(await fetched('/x', "{ method: 'PUT' }")).toMatchObject({ text: 'answered' });
    const counted = await hits();
    expect(counted.slice(0, 3)).toEqual([2, 1, 1]);
    expect(counted[3]).toBeGreaterThanOrEqual(2);
  });

  test('keep WebSockets from a host that they block altogether', async () => {
    const socket = () =>
      script.resultOf(
        `await page.goto(${JSON.stringify(site.at('shop', '/'))});
         return page.evaluate((url) => new Promise((resolve) => {
           const socket = new WebSocket(url);
           socket.onmessage = ({ data }) => resolve(data);
           socket.onerror = () => resolve('failed');
         }), ${JSON.stringify(site.at('other', '/socket').replace('http', 'ws'))})`,
      );
    await ruled({ match: { host: 'other.localhost', type: 'image' }, do: { action: 'block' } });
    expect(await socket()).toBe('hello');
    await ruled({ match: { host: 'other.localhost' }, do: { action: 'block' } });
    expect(await socket()).toBe('failed');
  });

  test('never answer for what the policy refuses', async () => {
    const respond = { match: {}, do: { action: 'respond', body: 'made up' } };
    const policy = { ...open, blockedDomains: ['other.localhost'], rules: [respond] };
    expect((await server.api.patch(id, { policy })).status).toBe(200);
    expect(await fetched('/x')).toMatchObject({ text: 'made up' });
    expect(await fetched(site.at('other', '/x'))).toBe('failed');
  });

  test('are gone when the policy has none any more', async () => {
    await ruled({ match: { url: '*/x' }, do: { action: 'block' } });
    expect(await fetched('/x')).toBe('failed');
    await ruled();
    expect(await fetched('/x')).toMatchObject({ status: 200 });
    expect((await server.api.get(id)).body.ruleHits).toBeUndefined();
  });
});
