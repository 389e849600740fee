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

describe('code', () => {
  test('gets the page, the context, the browser and its arguments, and gives back what it returns', async () => {
    expect(await resultOf(`await page.goto('${site.origin}/other'); return page.title()`)).toBe('other');
    expect(
      await resultOf('return [context.pages().length, browser.isConnected(), args.n + 1]', {
        args: { n: 41 },
      }),
    ).toEqual([1, true, 42]);
    expect(await resultOf('const undefinedToo = 1')).toBeNull();
  });

  test('may be TypeScript', async () => {
    expect(await resultOf('interface A { n: number }\nconst a: A = { n: 1 };\nreturn a.n as number')).toBe(1);
  });

  test('logs in order, with levels', async () => {
    const { body } = await execute(
      "console.log('one', { two: 2 }); console.warn('three'); console.error(new Error('four'))",
    );
    expect(body.logs.map((line: { level: string }) => line.level)).toEqual(['log', 'warn', 'error']);
    expect(body.logs[0].text).toContain('two: 2');
  });

  test('does not see what an earlier call left', async () => {
    await resultOf('globalThis.left = 1; Array.prototype.left = 2; return 1');
    expect(await resultOf('return [typeof globalThis.left, typeof [].left]')).toEqual([
      'undefined',
      'undefined',
    ]);
  });

  test('reaches the web outside the page by context.request, under the same policy', async () => {
    const code = `const answer = await context.request.get('${site.origin}/other'); return [answer.status(), await answer.text()]`;
    expect(await resultOf(code)).toEqual([200, expect.stringContaining('<title>other</title>')]);
    const own = `const answer = await context.request.get('${server.api.url}/health'); return [answer.status(), answer.headers()['x-browserd-refused']]`;
    expect(await resultOf(own)).toEqual([403, 'own_listener']);
  });

  test('answers dialogs itself when it listens, and they are dismissed when it does not', async () => {
    await resultOf(`await page.goto('${site.origin}/other')`);
    const asking =
      "page.on('dialog', (dialog) => dialog.accept('yes')); return page.evaluate(() => prompt('what?'))";
    expect(await resultOf(asking)).toBe('yes');
    expect(await resultOf("return page.evaluate(() => confirm('sure?'))")).toBe(false);
  });

  test('uses frames, popups, routes and exposed functions as the documentation of Playwright shows', async () => {
    const code = `
      await page.route('**/routed', (route) => route.fulfill({ body: 'from the route', contentType: 'text/plain' }));
      await page.exposeFunction('double', (n) => n * 2);
      await page.goto('${site.origin}/');
      const routed = await page.evaluate(() => fetch('/routed').then((answer) => answer.text()));
      const doubled = await page.evaluate(() => window.double(21));
      await page.setContent('<iframe srcdoc="<button>inside</button>"></iframe><input id=name>');
      await page.frameLocator('iframe').getByRole('button', { name: 'inside' }).click();
      await page.fill('#name', 'filled');
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate((url) => void window.open(url), '${site.origin}/other'),
      ]);
      await popup.waitForLoadState();
      const title = await popup.title();
      await popup.close();
      return [routed, doubled, await page.inputValue('#name'), title, (await page.screenshot()).length > 100]`;
    expect(await resultOf(code)).toEqual(['from the route', 42, 'filled', 'other', true]);
  });

  test('follows a link into a new tab', async () => {
    const code = `
      await page.setContent('<a target=_blank href="${site.origin}/other">new tab</a>');
      const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('a')]);
      await popup.waitForLoadState();
      const title = await popup.title();
      await popup.close();
      return title`;
    expect(await resultOf(code)).toBe('other');
  });

  test('a tab it opens is the active one afterwards, and any tab can be chosen', async () => {
    const { body } = await execute(
      `const tab = await context.newPage(); await tab.goto('${site.origin}/other'); return 1`,
    );
    expect(body.page).toMatchObject({ url: `${site.origin}/other`, title: 'other' });
    const { body: status } = await server.api.status(id);
    expect(status.activeTab.tabId).toBe(body.page.tabId);
    const [first] = status.tabs.filter((tab: { tabId: string }) => tab.tabId !== body.page.tabId);
    await resultOf('await page.bringToFront(); return 1', { tabId: first.tabId });
    expect((await server.api.status(id)).body.activeTab.tabId).toBe(first.tabId);
    await resultOf('await page.close(); return 1', { tabId: body.page.tabId });
    expect(await execute('return 1', { tabId: 'NONE' })).toMatchObject({
      status: 404,
      body: { error: { code: 'TAB_NOT_FOUND' } },
    });
  });
});

describe('a call that is streamed as it runs', () => {
  const stream = { headers: { accept: 'text/event-stream' } };
  const framesOf = (text: string) =>
    [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => ({
      event,
      data: JSON.parse(data ?? ''),
    }));

  test('gives each log and then the result', async () => {
    const path = `/v1/browsers/${id}/script/execute`;
    const body = { code: "console.log('a\\nb'); console.error('c'); return { d: 1 }" };
    const { status, headers, body: text } = await server.api.call('POST', path, { ...stream, body });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const logs = [
      { level: 'log', text: 'a\nb', at: expect.any(String) },
      { level: 'error', text: 'c', at: expect.any(String) },
    ];
    expect(framesOf(text)).toEqual([
      ...logs.map((data) => ({ event: 'log', data })),
      { event: 'result', data: expect.objectContaining({ success: true, result: { d: 1 }, logs }) },
    ]);
  });

  test('is refused like any other before it has begun, and sends an error after', async () => {
    const path = '/v1/browsers/browser_00000000000000000000000000/script/execute';
    const unknown = await server.api.call('POST', path, { ...stream, body: { code: 'return 1' } });
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'BROWSER_NOT_FOUND' } } });
    const brief = (await server.api.create({ policy })).body.id;
    const response = await fetch(`${server.api.url}/v1/browsers/${brief}/script/execute`, {
      method: 'POST',
      headers: {
        ...stream.headers,
        authorization: `Bearer ${server.api.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ code: "console.log('up'); await sleep(100_000)", timeoutMs: 110_000 }),
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (framesOf(text).length === 1) await server.api.remove(brief);
    }
    expect(framesOf(text)).toMatchObject([
      { event: 'log', data: { text: 'up' } },
      { event: 'error', data: { error: { code: 'BROWSER_NOT_READY' } } },
    ]);
  });
});

describe('several calls at once', () => {
  test('on one browser run one after the other, in order', async () => {
    const gated = await startSite();
    const inLine = async (): Promise<number> => {
      const { body } = await server.api.call('GET', '/metrics');
      return Number(/^browserd_script_queue (\d+)$/m.exec(body)?.[1]);
    };
    const calls = [execute(`await context.request.get('${gated.origin}/gate'); return 1`)];
    // Each is in line before the next is sent: of two on their way, either may come first.
    for (let n = 0; n < 8; n++) {
      await eventually(inLine, (count) => count === n + 1);
      calls.push(
        execute(
          `const seen = (await page.evaluate(() => (window.order ??= []))); await sleep(10); return page.evaluate((n) => { window.order.push(n); return window.order }, ${n})`,
        ),
      );
    }
    await eventually(inLine, (count) => count === 9);
    gated.openGate();
    const last = (await Promise.all(calls)).at(-1);
    expect(last?.body.result.slice(-8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await gated.close();
  });

  test('past the end of the line are refused', async () => {
    const statuses: number[] = [];
    const first = execute(`await context.request.get('${site.origin}/gate'); return 1`);
    await eventually(async () => site.requests.some(({ url }) => url === '/gate'), Boolean);
    const calls = Array.from({ length: 40 }, async () => statuses.push((await execute('return 1')).status));
    await eventually(
      async () => statuses,
      ({ length }) => length === 8,
    );
    expect(new Set(statuses)).toEqual(new Set([429]));
    site.openGate();
    await Promise.all([first, ...calls]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  });
});

test('a stopped browser is named as what it is, and wrong requests are refused', async () => {
  const { body: browser } = await server.api.create();
  await server.api.stop(browser.id);
  expect(await execute('return 1', {}, browser.id)).toMatchObject({
    status: 409,
    body: { error: { code: 'BROWSER_NOT_READY', nextStep: 'resume_browser' } },
  });
  for (const more of [
    { code: 'x'.repeat(262_145) },
    { timeoutMs: 0 },
    { timeoutMs: 120_001 },
    { unknown: 1 },
    { code: '' },
  ])
    expect(await execute('return 1', more)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED' } },
    });
});

test('scripts go on after stop and resume, and after a crash of Chromium', async () => {
  const { api } = server;
  const { body: browser } = await api.create({ policy, startUrl: `${site.origin}/other` });
  expect((await execute('return page.title()', {}, browser.id)).body.result).toBe('other');
  await api.stop(browser.id);
  await api.resume(browser.id);
  await eventually(
    () => execute('return page.title()', {}, browser.id),
    ({ body }) => body.result === 'other',
  );
});
