import { createHash, randomBytes } from 'node:crypto';
import { type api, Browserd, type BrowserdError, type KnownBrowser, verifyWebhook } from '@browserd/sdk';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../../server/tests/receiver.ts';
import { startServer, type TestServer } from '../../server/tests/server.ts';
import { type Site, startSite } from '../../server/tests/site.ts';
import { operations } from '../src/generated/operations.ts';
import { Covered, contract } from './covered.ts';
import { lineTo } from './cut-line.ts';

/** The whole SDK on a real service; at the end, whether there was anything in the contract that it did not reach. */
let server: TestServer;
let site: Site;
let client: Browserd;
let browser: KnownBrowser;
const covered = new Covered();
const policy = { privateAccess: { localhost: true } };

const form = `<!doctype html><title>Form</title>
  <label>Name <input name="name"></label> <label>File <input type="file" name="file"></label>
  <button onclick="document.title = 'Hello ' + document.querySelector('[name=name]').value">Send</button>
  <a href="data:text/csv,a,b" download="report.csv">Report</a>`;

beforeAll(async () => {
  server = await startServer({
    BROWSERD_POOL_SIZE: '2',
    BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost',
    BROWSERD_CAPTCHA_SOLVERS: 'wait',
  });
  site = await startSite({ '/form': form });
  client = new Browserd({ baseUrl: server.api.url, apiKey: server.api.key, fetch: covered.fetch });
  browser = await client.browsers.create({ policy, dialogs: 'manual', startUrl: `${site.origin}/form` });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const caught = (work: Promise<unknown>): Promise<BrowserdError> =>
  work.then(
    () => expect.fail('nothing was thrown'),
    (error) => error,
  );

async function firstOf<Item>(items: AsyncIterable<Item>, fits: (item: Item) => boolean): Promise<Item> {
  for await (const item of items) if (fits(item)) return item;
  throw new Error('it never came');
}

describe('a browser', () => {
  test('is made once for one idempotency key, kept up to date, and gone after its block', async () => {
    const idempotencyKey = `two calls ${randomBytes(4).toString('hex')}`;
    const create = () =>
      client.browsers.create({ name: 'once', metadata: { of: 'sdk' } }, { idempotencyKey });
    let id: string;
    {
      await using one = await create();
      id = one.id;
      expect((await create()).id).toBe(id);
      expect(one.record).toMatchObject({ status: 'ready', name: 'once' });
      expect((await one.update({ name: 'twice' })).name).toBe('twice');
      expect(one.record.name).toBe('twice');
      const listed = await client.browsers.list({ metadata: { of: 'sdk' }, status: ['ready'] }).all();
      expect(listed.map((each) => [each.id, each.record.name])).toEqual([[id, 'twice']]);
      expect(await one.stop()).toMatchObject({ status: 'stopped' });
      expect(await caught(one.whenReady())).toMatchObject({ nextStep: 'resume_browser' });
      expect(await one.resume()).toMatchObject({ status: 'ready', epoch: 2 });
      expect((await one.status()).tabs).toHaveLength(1);
    }
    expect((await client.browsers.get(id)).record.status).toBe('closed');
    expect(await client.browser(id).close()).toMatchObject({ id, status: 'closed', receipt: {} });
  });

  test('that answers at once is waited for', async () => {
    await using soon = await client.browsers.create({}, { respondAsync: true, waitSeconds: 5 });
    expect(await soon.whenReady()).toMatchObject({ status: 'ready' });
    expect(soon.record.status).toBe('ready');
  });

  test('that is not there, or not allowed, is a typed error with a next step', async () => {
    const lost = await caught(client.browsers.get('browser_01jaaaaaaaaaaaaaaaaaaaaaaa'));
    expect(lost).toMatchObject({
      name: 'BrowserdError',
      code: 'BROWSER_NOT_FOUND',
      status: 404,
      category: 'not_found',
      nextStep: 'fix_request',
      requestId: expect.stringMatching(/^req_/),
    });
    const wrong = await caught(client.browsers.create({ viewport: { width: -1 } }));
    expect(wrong).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: 'viewport.width' }] },
    });
    const stranger = new Browserd({ baseUrl: client.baseUrl, apiKey: 'bd_stranger' });
    expect(await caught(stranger.keys.list().page())).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('browser code', () => {
  test('is a function with arguments, or a string; both typed', async () => {
    const sum: number = await browser.execute(({ args }) => args.a + args.b, { a: 1, b: 2 });
    expect(sum).toBe(3);
    const title: string = await browser.execute(async ({ page }) => page.title());
    expect(title).toBe('Form');
    expect(await browser.execute<string>('return args + (await page.title())', 'the ')).toBe('the Form');
    expect(await browser.execute(async () => undefined)).toBe(null);
  });

  test('acts by the references of what it saw in the call before', async () => {
    const look = { observation: { kind: 'aria', includeOn: 'always' } } as const;
    const { observation } = await browser.run('return page.title()', { capture: look });
    const refOf = (what: RegExp) => what.exec(observation?.content ?? '')?.[1] ?? '';
    const args = {
      name: refOf(/textbox "Name".*?\[ref=(\w+)\]/),
      send: refOf(/button "Send".*?\[ref=(\w+)\]/),
    };
    const after = await browser.run(
      async ({ page, args: refs, console: log }) => {
        log.info('filling in');
        await page.locator(`aria-ref=${refs.name}`).fill('Ada');
        await page.locator(`aria-ref=${refs.send}`).click();
      },
      { args, capture: { status: true } },
    );
    expect(after).toMatchObject({
      success: true,
      page: { title: 'Hello Ada' },
      logs: [{ text: 'filling in' }],
    });
  });

  test('that throws throws here, with its line, its logs and what to do', async () => {
    const error = await caught(
      browser.execute(
        async ({ page, console: log }) => {
          log.warn('looking');
          await page.locator('#nowhere').click({ timeout: 50 });
        },
        undefined,
        { timeoutMs: 5000 },
      ),
    );
    expect(error).toMatchObject({
      name: 'ScriptError',
      code: 'SELECTOR_NOT_FOUND',
      nextStep: 'observe',
      execution: { success: false, logs: [{ text: 'looking' }] },
    });
    const own = await caught(
      browser.execute(() => {
        throw new TypeError('mine');
      }),
    );
    expect(own).toMatchObject({ code: 'SCRIPT_FAILED', thrown: 'TypeError', message: 'mine' });
    expect((own as { scriptStack?: string }).scriptStack).toContain(':2:');
    expect(await caught(browser.execute('while (true) {}', null, { timeoutMs: 200 }))).toMatchObject({
      code: 'SCRIPT_TIMEOUT',
    });
  });

  test('ends over there too when its caller gives up', async () => {
    const stop = new AbortController();
    const events = browser.events.follow({ type: ['script.started'] });
    const started = events.next();
    const run = caught(
      browser.execute('await sleep(60_000)', null, { signal: stop.signal, timeoutMs: 90_000 }),
    );
    await started;
    await events.return();
    stop.abort();
    expect(await run).toMatchObject({ name: 'AbortError' });
    expect(await browser.execute('return 1')).toBe(1);
  });

  test('waits while a dialog is answered from outside', async () => {
    const asked = browser.execute(async ({ page }) =>
      page.evaluate(() => {
        const { confirm, prompt } = globalThis as unknown as Record<
          'confirm' | 'prompt',
          (what: string) => unknown
        >;
        return [confirm('sure?'), prompt('name?'), confirm('really?')];
      }),
    );
    const openDialog = async (): Promise<api.Dialog> => {
      for (;;) for (const dialog of await browser.dialogs.list({ state: 'open' }).all()) return dialog;
    };
    expect(await browser.dialogs.accept((await openDialog()).id)).toMatchObject({ type: 'confirm' });
    await browser.dialogs.accept((await openDialog()).id, 'Ada');
    await browser.dialogs.dismiss((await openDialog()).id);
    expect(await asked).toEqual([true, 'Ada', false]);
  });
});

describe('what a browser holds', () => {
  test('files go up in a stream, are used by pages, and come back whole or in part', async () => {
    const part = randomBytes(256 * 1024);
    const whole = Buffer.concat([part, part, part, part]);
    async function* parts() {
      for (let n = 0; n < 4; n++) yield part;
    }
    const file = await browser.files.upload(parts(), { name: 'naïve ✓.bin' });
    expect(file).toMatchObject({ name: 'naïve ✓.bin', size: whole.length, source: 'upload' });
    expect(file.sha256).toBe(createHash('sha256').update(whole).digest('hex'));
    const size: unknown = await browser.execute(
      async ({ page, files, args }) => {
        await page.setInputFiles('[name=file]', await files.path(args.fileId));
        return page.evaluate('document.querySelector("[name=file]").files[0].size');
      },
      { fileId: file.id },
    );
    expect(size).toBe(whole.length);
    const content = await browser.files.content(file.id);
    expect(content).toMatchObject({ name: 'naïve ✓.bin', size: whole.length, etag: `"${file.sha256}"` });
    expect(Buffer.from(await content.bytes()).equals(whole)).toBe(true);
    const range = await browser.files.content(file.id, { range: { start: 10, end: 19 } });
    expect(Buffer.from(await range.bytes())).toEqual(whole.subarray(10, 20));
    expect(await browser.files.get(file.id)).toEqual(file);
    expect(await browser.files.list().all()).toContainEqual(file);
    await browser.files.delete(file.id);
    expect(await caught(browser.files.get(file.id))).toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  test('a download is waited for and read', async () => {
    await browser.execute(async ({ page }) => {
      const started = page.waitForEvent('download');
      await page.getByText('Report').click();
      await started;
    });
    const [newest] = await browser.downloads.list().all(1);
    const done = await browser.downloads.finished(newest?.id ?? '');
    expect(done).toMatchObject({ state: 'completed', suggestedFilename: 'report.csv' });
    const content = await browser.downloads.content(done.id);
    expect([content.name, content.mimeType, await content.text()]).toEqual(['report.csv', 'text/csv', 'a,b']);
    await browser.downloads.delete(done.id);
    expect(await browser.downloads.list().all()).toEqual([]);
  });

  test('pictures, papers and text of its tab, as bytes or kept as files', async () => {
    const shot = await browser.screenshot({ format: 'jpeg', quality: 30 });
    expect((await shot.bytes()).subarray(0, 3)).toEqual(new Uint8Array([0xff, 0xd8, 0xff]));
    expect(await browser.screenshot({ store: true })).toMatchObject({ source: 'screenshot' });
    expect((await (await browser.pdf()).text()).slice(0, 5)).toBe('%PDF-');
    expect(await browser.pdf({ store: true })).toMatchObject({ source: 'pdf' });
    expect(await browser.scrape({ format: 'text', mainContent: false })).toMatchObject({
      title: 'Hello Ada',
    });
  });

  test('permissions are set and cleared', async () => {
    expect(await browser.permissions.set({ permissions: { geolocation: 'granted' } })).toEqual(
      await browser.permissions.get(),
    );
    expect(JSON.stringify(await browser.permissions.get())).toContain('geolocation');
    expect(JSON.stringify(await browser.permissions.clear())).not.toContain('geolocation');
  });

  test('captchas: there are none here, and nothing to solve', async () => {
    expect(await browser.captcha.get()).toEqual({ state: 'none', items: [] });
    expect(await browser.captcha.resolve({ timeoutMs: 1000 })).toMatchObject({ state: 'none' });
  });

  test('a recording is stopped, waited for and read', async () => {
    await using small = await client.browsers.create({ viewport: { width: 320, height: 240 } });
    const { recordings } = small;
    const { id } = await recordings.start();
    expect(await recordings.get(id)).toMatchObject({ state: 'recording' });
    await small.execute('await page.setContent("<body style=background:red>")');
    await recordings.stop(id);
    expect(await recordings.finished(id)).toMatchObject({ state: 'ready' });
    const video = await recordings.content(id, { range: { start: 0, end: 3 } });
    expect(await video.bytes()).toEqual(new Uint8Array([0x1a, 0x45, 0xdf, 0xa3]));
    expect((await recordings.list().all()).map((each) => each.id)).toEqual([id]);
    await recordings.delete(id);
  });
});

describe('other hands on it', () => {
  test('Playwright connects by the address that it is given', async () => {
    const address = await browser.playwright({ ttlSeconds: 60 });
    covered.asked('GET', address);
    const playwright = await chromium.connectOverCDP(address);
    expect(await playwright.contexts()[0]?.pages()[0]?.title()).toBe('Hello Ada');
    await playwright.close();
    expect(await browser.cdpVersion()).toMatchObject({ webSocketDebuggerUrl: expect.stringMatching(/^ws:/) });
  });

  test('a person gets an address, and is asked to come', async () => {
    const { url, socketUrl = '' } = await browser.live({ mode: 'view', ttlSeconds: 60 });
    expect(url).toContain(`/live/${browser.id}#`);
    covered.asked('GET', socketUrl);
    const socket = new WebSocket(socketUrl);
    const first = await new Promise((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(data)),
    );
    expect(JSON.parse(String(first))).toMatchObject({ type: 'welcome', mode: 'view' });
    socket.close();
    expect(await browser.handoff.request({ message: 'Please look.' })).toMatchObject({ state: 'requested' });
    expect(await browser.handoff.get()).toMatchObject({ message: 'Please look.' });
    const finished = browser.handoff.finished();
    await browser.handoff.end();
    expect(await finished).toMatchObject({ state: 'scripts' });
  });
});

describe('the project', () => {
  test('events are followed over a line that breaks, without a gap and without a repetition', async () => {
    await using line = await lineTo(server.api.url);
    const far = new Browserd({ baseUrl: line.url, apiKey: server.api.key, fetch: covered.fetch });
    const [newest] = await client.events.list({ limit: 1 }).all(1);
    const events = far.events.follow({ type: ['script.completed'], lastEventId: newest?.seq ?? 0 });
    const seen: number[] = [];
    for (let round = 0; round < 3; round++) {
      await browser.execute('return 1');
      const { value } = await events.next();
      seen.push((value as api.Event).seq);
      line.cut();
    }
    await events.return();
    expect(line.connections()).toBeGreaterThan(1);
    const { items } = await client.events
      .list({ type: ['script.completed'], order: 'asc', lastEventId: String(newest?.seq ?? 0) })
      .page();
    expect(seen).toEqual(items.map(({ seq }) => seq));
    expect(await firstOf(browser.events.list(), ({ type }) => type === 'browser.ready')).toMatchObject({
      browserId: browser.id,
    });
  });

  test('a webhook is told, and what it gets is verified', async () => {
    await using receiver = await startReceiver();
    const { id, secret } = await client.webhooks.create({ url: receiver.url, events: ['script.completed'] });
    await browser.execute('return 1');
    const { headers, body } = await receiver.until(({ body: sent }) => sent.type === 'script.completed');
    const message = await verifyWebhook({ body: JSON.stringify(body), headers, secret });
    expect(message).toMatchObject({ type: 'script.completed', data: { browserId: browser.id } });
    const [delivery] = await client.webhooks.deliveries(id).all();
    await client.webhooks.redeliver(id, delivery?.id ?? '');
    await client.webhooks.test(id);
    const test = await receiver.until(({ body: sent }) => sent.type === 'webhook.test');
    expect(await verifyWebhook({ ...test, body: JSON.stringify(test.body), secret })).toMatchObject({
      type: 'webhook.test',
      data: { webhookId: id },
    });
    expect(await client.webhooks.update(id, { description: 'mine' })).toEqual(await client.webhooks.get(id));
    expect((await client.webhooks.list().all()).map((each) => each.id)).toEqual([id]);
    await client.webhooks.delete(id);
  });

  test('a key is made, works, and is revoked', async () => {
    const { id, key } = await client.keys.create({ name: 'short', role: 'member' });
    const member = new Browserd({ baseUrl: client.baseUrl, apiKey: key });
    expect((await member.browser(browser.id).refresh()).id).toBe(browser.id);
    expect(await caught(member.keys.list().page())).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect((await client.keys.list().all()).map((each) => each.id)).toContain(id);
    await client.keys.revoke(id);
    expect(await caught(member.browsers.list().page())).toMatchObject({ nextStep: 'authenticate' });
  });

  test('one request, one page', async () => {
    const html = '<title>Quick</title><h1>Hello</h1>';
    expect(await client.scrape({ html, mainContent: false }, { waitSeconds: 5 })).toMatchObject({
      title: 'Quick',
    });
    expect((await client.screenshot({ html })).mimeType).toBe('image/png');
    expect((await (await client.pdf({ html })).bytes()).length).toBeGreaterThan(500);
    expect(await caught(client.scrape({ html, selector: '#none' }))).toMatchObject({
      code: 'SELECTOR_NOT_FOUND',
    });
  });

  test('health and measures', async () => {
    expect(await client.health()).toMatchObject({ status: 'ok' });
    expect(await client.ready()).toMatchObject({ checks: { store: { ok: true } } });
    expect(await client.metrics()).toContain('# TYPE');
  });
});

describe('the contract', () => {
  test('names exactly the operations that the SDK knows', () => {
    const known = Object.entries(operations).map(([id, [method, path]]) => [id, method, path]);
    expect(known).toEqual(contract.map(({ operationId, method, path }) => [operationId, method, path]));
  });

  test('has no operation that these stories did not reach through the SDK', () => {
    const missed = contract.filter(({ operationId }) => !covered.operations.has(operationId));
    expect(missed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
