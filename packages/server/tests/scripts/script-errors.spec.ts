import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite();
  server = await startServer();
  id = (await server.api.create({ policy })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const execute: ScriptClient['execute'] = (...call) => scriptClient(server, id).execute(...call);
const resultOf: ScriptClient['resultOf'] = (...call) => scriptClient(server, id).resultOf(...call);
const errorOf: ScriptClient['errorOf'] = (...call) => scriptClient(server, id).errorOf(...call);

describe('an error', () => {
  test('of the code itself has the lines of the caller', async () => {
    const error = await errorOf("const a = 1;\n  throw new TypeError('wrong');");
    expect(error).toMatchObject({
      code: 'SCRIPT_FAILED',
      category: 'script',
      name: 'TypeError',
      message: 'wrong',
    });
    expect(error.stack).toContain('script:2:9');
  });

  test('of syntax says line and column', async () => {
    expect(await errorOf('const a = 1;\nconst = 2;')).toMatchObject({
      code: 'SCRIPT_SYNTAX',
      details: { line: 2 },
      nextStep: 'fix_request',
    });
  });

  test('of a missing element names the selector, the wait and the nearest candidates', async () => {
    const code =
      "await page.setContent('<button id=submit>Send the form</button><a href=x>Help</a>'); await page.click('#submitt', { timeout: 300 })";
    expect(await errorOf(code)).toMatchObject({
      code: 'SELECTOR_NOT_FOUND',
      category: 'selector',
      nextStep: 'observe',
      details: {
        selector: "locator('#submitt')",
        waitedMs: 300,
        candidates: expect.arrayContaining(['#submit']),
      },
    });
  });

  test('of a missing element comes before the call’s own deadline', async () => {
    const error = await errorOf("await page.setContent('<p>nothing</p>'); await page.click('#never')", {
      timeoutMs: 2000,
    });
    expect(error.code).toBe('SELECTOR_NOT_FOUND');
  });

  test('of navigation has its own cause each: refused by policy, not resolved, no listener', async () => {
    for (const scheme of ['http', 'https'])
      expect(await errorOf(`await page.goto('${scheme}://10.0.0.1/')`)).toMatchObject({
        code: 'POLICY_BLOCKED',
        nextStep: 'change_policy',
        details: { rule: 'private_address' },
      });
    expect(await errorOf("await page.goto('https://nowhere.test/')")).toMatchObject({
      code: 'NAVIGATION_FAILED',
      details: { reason: 'ERR_NAME_NOT_RESOLVED' },
    });
    expect(await errorOf("await page.goto('http://127.0.0.1:9/')")).toMatchObject({
      code: 'NAVIGATION_FAILED',
    });
  });

  test('of a fetch that CORS stopped has its own category', async () => {
    await resultOf(`await page.goto('${site.origin}/')`);
    const code = `await page.evaluate((url) => fetch(url), 'http://localhost:${site.port}/')`;
    expect(await errorOf(code)).toMatchObject({ code: 'FETCH_BLOCKED_BY_CORS', category: 'cors' });
  });

  test('of a result that JSON cannot carry, or that is too large', async () => {
    expect(await errorOf('const a = {}; a.a = a; return a')).toMatchObject({
      code: 'RESULT_NOT_SERIALIZABLE',
    });
    expect(await errorOf('return 1n')).toMatchObject({ code: 'RESULT_NOT_SERIALIZABLE' });
    expect(await errorOf("return 'x'.repeat(9 * 1024 * 1024)")).toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });
});

describe('a call that does not end', () => {
  test.each([
    ['in the code', 'while (true) {}'],
    ['in the page', 'await page.evaluate(() => { while (true) {} })'],
    ['waiting for nothing', 'await new Promise(() => {})'],
  ])('%s is ended at its deadline; the page stays and the next call works', async (_, code) => {
    await resultOf(`await page.goto('${site.origin}/other')`);
    const error = await errorOf(code, { timeoutMs: 700 });
    expect(error).toMatchObject({ code: 'SCRIPT_TIMEOUT', category: 'timeout', details: { timeoutMs: 700 } });
    expect(await resultOf('return page.title()')).toBe('other');
  });

  test('ends when its caller hangs up', async () => {
    const caller = new AbortController();
    const gone = fetch(`${server.api.url}/v1/browsers/${id}/script/execute`, {
      method: 'POST',
      signal: caller.signal,
      headers: { authorization: `Bearer ${server.api.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        code: `await page.goto('${site.origin}/?hanging'); await new Promise(() => {})`,
        timeoutMs: 120_000,
      }),
    }).catch((error: Error) => error.name);
    await eventually(async () => site.requests.some(({ url }) => url === '/?hanging'), Boolean);
    caller.abort();
    expect(await gone).toBe('AbortError');
    expect(await resultOf('return 1')).toBe(1);
  });

  test('does not hold up status, and delete ends it at once', async () => {
    const { body: browser } = await server.api.create({ policy });
    const running = execute(
      `await page.goto('${site.origin}/?deleted'); while (true) {}`,
      { timeoutMs: 120_000 },
      browser.id,
    );
    await eventually(async () => site.requests.some(({ url }) => url === '/?deleted'), Boolean);
    await eventually(
      () => server.api.status(browser.id),
      ({ body }) => body.activeTab.url === `${site.origin}/?deleted`,
    );
    expect((await server.api.remove(browser.id)).body.status).toBe('closed');
    expect(await running).toMatchObject({
      status: 409,
      body: { error: { code: 'BROWSER_NOT_READY', nextStep: 'create_browser' } },
    });
  });
});
