import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** What a call answers: with its error, with what was captured of the page, with files. */
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

describe('a result of megabytes', () => {
  const code = "return Array.from({ length: 60_000 }, (_, n) => ({ n, text: 'Zeile ' + n + ' – \u2028 ü' }))";
  const rows = Array.from({ length: 60_000 }, (_, n) => ({ n, text: `Zeile ${n} – \u2028 ü` }));

  test('is all there, beside what else the call answers', async () => {
    const { status, headers, body } = await execute(`console.log('made'); ${code}`);
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(body).toMatchObject({ success: true, logs: [{ text: 'made' }], durationMs: expect.any(Number) });
    expect(body.result).toEqual(rows);
  });

  test('is all there at the end of a stream, too', async () => {
    const { body } = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: { code },
      headers: { accept: 'text/event-stream' },
    });
    const [, data = ''] = /event: result\ndata: ([^\n]*)/.exec(String(body)) ?? [];
    expect(JSON.parse(data).result).toEqual(rows);
  });

  test('is cut for a caller that wants no more, and says how long it is', async () => {
    const json = JSON.stringify(rows);
    const { body } = await execute(code, { maxResultChars: 1000 });
    expect(body).toMatchObject({
      success: true,
      result: null,
      resultCut: { json: json.slice(0, 1000), chars: json.length },
    });
    const small = await execute("return ['wörd', 1]", { maxResultChars: 9 });
    expect(small.body).toMatchObject({ result: null, resultCut: { json: '["wörd",1', chars: 10 } });
    const fits = await execute("return ['wörd', 1]", { maxResultChars: 10 });
    expect(fits.body).toMatchObject({ result: ['wörd', 1] });
    expect(fits.body).not.toHaveProperty('resultCut');
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
      timeoutMs: 6000,
    });
    expect(error.code).toBe('SELECTOR_NOT_FOUND');
  });

  test('names its request, and so does an observation that could not be made', async () => {
    const capture = { observation: { kind: 'text', selector: '#nowhere' } };
    const { body, headers } = await execute("throw new Error('x')", { capture });
    const requestId = headers.get('x-request-id');
    expect(body.error.details).toEqual({ requestId });
    expect(body.observation.error).toMatchObject({
      code: 'SELECTOR_NOT_FOUND',
      nextStep: 'observe',
      details: { requestId },
    });
  });

  test('of a refused navigation is answered with what the tab shows after it', async () => {
    await resultOf(`await page.goto('${site.origin}/other')`);
    for (const scheme of ['http', 'https']) {
      const { body } = await execute(`await page.goto('${scheme}://10.0.0.1/there')`);
      expect(body).toMatchObject({ success: false, page: { url: `${scheme}://10.0.0.1/there` } });
    }
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
    expect(await errorOf("await page.goto('http://127.0.0.1:2/')")).toMatchObject({
      code: 'NAVIGATION_FAILED',
      details: { reason: 'ERR_CONNECTION_REFUSED' },
    });
  });

  test('of a fetch that CORS stopped has its own category', async () => {
    // What failed before may still be putting up Chromium's page about it, which interrupts the first.
    const home = `page.goto('${site.origin}/')`;
    await resultOf(`await ${home}.catch(() => ${home})`);
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

  test('activity lists navigations, tabs, dialogs, downloads, console errors and refusals', async () => {
    const code = `
      await page.goto('${site.origin}/other');
      await page.evaluate(() => { alert('hey'); return fetch('http://10.0.0.1/').catch(() => 0) });
      await page.setContent('<a id=get download="report.txt" href="/other">get</a>');
      await Promise.all([page.waitForEvent('download'), page.click('#get')]);
      await page.evaluate(() => console.error('logged'));
      await (await context.newPage()).close();
      await page.goto('${site.origin}/');`;
    const { body } = await execute(code, { capture: { activity: true } });
    const types = body.activity.map((each: { type: string }) => each.type);
    expect(types).toEqual(
      expect.arrayContaining(['navigation', 'tab_opened', 'tab_closed', 'policy_blocked']),
    );
    const told = (type: string) => body.activity.find((each: { type: string }) => each.type === type);
    expect(told('dialog')).toMatchObject({ message: 'hey', state: 'dismissed', closedBy: 'mode' });
    expect(told('download')).toMatchObject({ suggestedFilename: 'report.txt' });
    expect(body.activity).toContainEqual(
      expect.objectContaining({ type: 'console_error', kind: 'logged', text: 'logged' }),
    );
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
    await api.patch(closed.id, { policy });
    expect((await execute(code, {}, closed.id)).body.result).toBe('kept');
    await api.patch(closed.id, denied);
    expect((await execute(code, {}, closed.id)).body.result).not.toBe('kept');
    await api.remove(closed.id);
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
