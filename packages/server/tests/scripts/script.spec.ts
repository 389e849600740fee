import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite();
  server = await startServer({ BROWSERD_POOL_SIZE: '2' });
  id = (await server.api.create({ policy })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const execute = (code: string, more: object = {}, browser = id): Promise<Answer> =>
  server.api.call('POST', `/v1/browsers/${browser}/script/execute`, { body: { code, ...more } });

const resultOf = async (code: string, more: object = {}): Promise<unknown> => {
  const { status, body } = await execute(code, more);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.result;
};

const errorOf = async (code: string, more: object = {}) => {
  const { status, body } = await execute(code, more);
  expect({ status, success: body.success, result: body.result }).toEqual({
    status: 200,
    success: false,
    result: null,
  });
  return body.error;
};

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

describe('capture', () => {
  const page = (content: string) => `await page.setContent(${JSON.stringify(content)});`;

  test('status tells readiness, the active tab and what is in the way', async () => {
    const { body } = await execute(`await page.goto('${site.origin}/other')`, { capture: { status: true } });
    expect(body.status).toEqual({
      status: 'ready',
      readiness: 'complete',
      activeTab: body.page,
      blocker: { state: 'none' },
      captcha: { state: 'none' },
      dialogs: 0,
    });
  });

  test('an aria observation carries references that the next call can use', async () => {
    const content = '<h1>Shop</h1><button onclick="this.textContent=`Bought`">Buy</button>';
    const { body } = await execute(page(content), {
      capture: { observation: { kind: 'aria', includeOn: 'always' } },
    });
    expect(body.observation.content).toContain('heading "Shop"');
    const reference = /button "Buy" \[ref=(\w+)\]/.exec(body.observation.content)?.[1];
    await resultOf(`await page.locator('aria-ref=${reference}').click()`);
    expect(await resultOf("return page.textContent('button')")).toBe('Bought');
  });

  test('text, html and markdown, of the whole page or a part, cut where asked', async () => {
    const content = '<main><h2>Title</h2><p>Some <b>bold</b> text</p></main><footer>end</footer>';
    const observed = async (observation: object) =>
      (await execute(page(content), { capture: { observation } })).body.observation;
    expect((await observed({ kind: 'text', selector: 'main' })).content).toContain('Some bold text');
    expect((await observed({ kind: 'html', selector: 'footer' })).content).toBe('<footer>end</footer>');
    expect((await observed({ kind: 'markdown', selector: 'main' })).content).toBe(
      '## Title\n\nSome **bold** text',
    );
    expect(await observed({ kind: 'text', maxChars: 5 })).toMatchObject({
      content: 'Title',
      truncated: true,
    });
    expect(await observed({ kind: 'text', selector: '#none' })).toMatchObject({
      content: '',
      error: { code: 'SELECTOR_NOT_FOUND' },
    });
  });

  test('is included when asked: on success, on error, on change', async () => {
    const seen = async (code: string, includeOn: string) =>
      (await execute(code, { capture: { observation: { kind: 'text', includeOn } } })).body.observation !==
      undefined;
    await resultOf(page('<p>one</p>'));
    expect(await seen('return 1', 'success')).toBe(true);
    expect(await seen('return 1', 'error')).toBe(false);
    expect(await seen("throw new Error('x')", 'error')).toBe(true);
    expect(await seen("throw new Error('x')", 'success')).toBe(false);
    expect(await seen('return 1', 'change')).toBe(false);
    expect(await seen(page('<p>two</p>'), 'change')).toBe(true);
  });

  test('activity lists navigations, dialogs, console errors and refusals', async () => {
    const code = `
      await page.goto('${site.origin}/other');
      await page.evaluate(() => { alert('hey'); return fetch('http://10.0.0.1/').catch(() => 0) });
      await page.goto('${site.origin}/');`;
    const { body } = await execute(code, { capture: { activity: true } });
    const types = body.activity.map((each: { type: string }) => each.type);
    expect(types).toEqual(expect.arrayContaining(['navigation', 'dialog', 'policy_blocked']));
    expect(body.activity).toContainEqual(
      expect.objectContaining({ type: 'navigation', url: `${site.origin}/other` }),
    );
  });

  test('false turns all of it off', async () => {
    const { body } = await execute('return 1', { capture: false });
    expect(Object.keys(body).sort()).toEqual(['durationMs', 'logs', 'page', 'result', 'success']);
  });
});

describe('files', () => {
  test('that a page downloads are the script’s to read', async () => {
    const code = `
      await page.goto('${site.origin}/');
      await page.setContent('<a id=get download="report.txt" href="/other">get</a>');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get')]);
      const stream = await download.createReadStream();
      let text = '';
      for await (const chunk of stream) text += chunk;
      return [download.suggestedFilename(), text]`;
    expect(await resultOf(code)).toEqual(['report.txt', expect.stringContaining('<title>other</title>')]);
  });

  test('are not downloaded where the policy denies it, from the start or from now on', async () => {
    const code = `
      await page.goto('${site.origin}/');
      await page.setContent('<a id=get download="report.txt" href="/other">get</a>');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get')]);
      return (await download.failure()) ?? 'kept'`;
    const { api } = server;
    const denied = { policy: { ...policy, downloads: { mode: 'deny' } } };
    const { body: closed } = await api.create(denied);
    expect((await execute(code, {}, closed.id)).body.result).not.toBe('kept');
    await api.remove(closed.id);
    const { body: open } = await api.create({ policy });
    expect((await execute(code, {}, open.id)).body.result).toBe('kept');
    await api.patch(open.id, denied);
    expect((await execute(code, {}, open.id)).body.result).not.toBe('kept');
    await api.remove(open.id);
  });

  test('that were uploaded, or written by a script, go into a file input of a page', async () => {
    const written = (await resultOf(
      "return files.write('note.txt', 'from the script', { mimeType: 'text/plain' })",
    )) as {
      id: string;
    };
    const { body: record } = await server.api.call('GET', `/v1/browsers/${id}/files/${written.id}`);
    expect(record).toMatchObject({ name: 'note.txt', source: 'script', size: 15 });
    const code = `
      await page.setContent('<input type=file>');
      await page.setInputFiles('input', await files.path(args));
      return page.evaluate(() => document.querySelector('input').files[0].text())`;
    expect(await resultOf(code, { args: written.id })).toBe('from the script');
  });

  test('of the machine do not', async () => {
    const code =
      "await page.setContent('<input type=file>'); await page.setInputFiles('input', '/etc/passwd'); return page.evaluate(() => document.querySelector('input').files[0].text())";
    const { body } = await execute(code, { timeoutMs: 5000 });
    expect(body.success).toBe(false);
    expect(JSON.stringify(body)).not.toContain('root:');
  });

  test('hold the screenshot of a call', async () => {
    const { body } = await execute(`await page.goto('${site.origin}/')`, {
      capture: { screenshot: { format: 'jpeg' } },
    });
    const { body: record } = await server.api.call(
      'GET',
      `/v1/browsers/${id}/files/${body.screenshot.fileId}`,
    );
    expect(record).toMatchObject({ source: 'screenshot', mimeType: 'image/jpeg' });
    expect(record.size).toBeGreaterThan(1000);
  });
});

describe('several calls at once', () => {
  test('on one browser run one after the other, in order', async () => {
    const calls = Array.from({ length: 8 }, (_, n) =>
      execute(
        `const seen = (await page.evaluate(() => (window.order ??= []))); await sleep(10); return page.evaluate((n) => { window.order.push(n); return window.order }, ${n})`,
      ),
    );
    const last = (await Promise.all(calls)).at(-1);
    expect(last?.body.result.slice(-8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
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
