import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, devices } from 'playwright-core';
import puppeteer, { KnownDevices } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capability, cdpPath, keyHeader } from '../support/cdp-client.ts';
import { type CdpSite, startCdpSite } from '../support/cdp-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What people do with Playwright and Puppeteer, done over our address: the client knows nothing of the service. */
let server: TestServer;
let site: CdpSite;
let id: string;
let url: string;
let folder: string;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer(), startCdpSite()]);
  folder = await mkdtemp(join(tmpdir(), 'browserd-cdp-'));
  const policy = { privateAccess: { localhost: true } };
  id = (await server.api.create({ policy })).body.id;
  url = await capability(server.api, id);
});
afterAll(async () => {
  expect((await server.api.get(id)).body).toMatchObject({ status: 'ready', epoch: 1 });
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('Playwright', () => {
  const open = async () => {
    const browser = await chromium.connectOverCDP(url);
    const [context] = browser.contexts();
    if (!context) throw new Error('there is no context');
    const page = await context.newPage();
    return {
      browser,
      context,
      page,
      [Symbol.asyncDispose]: async () => {
        await page.close();
        await browser.close();
      },
    };
  };

  test('connects by ws and by http, with a token or a key, and leaves the browser alive', async () => {
    const http = `${server.api.url}${cdpPath(id)}`;
    for (const [endpoint, options] of [
      [url, {}],
      [url.replace(/^ws/, 'http'), {}],
      [http, keyHeader(server.api)],
      [http.replace(/^http/, 'ws'), keyHeader(server.api)],
    ] as const) {
      const browser = await chromium.connectOverCDP(endpoint, options);
      expect(await browser.contexts()[0]?.pages()[0]?.evaluate('1 + 1')).toBe(2);
      await browser.close();
    }
    await expect(chromium.connectOverCDP(http)).rejects.toThrow(/401/);
  });

  test('walks through pages, fills forms, waits, and sees popups and frames', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.goto(site.origin);
    await page.getByRole('link', { name: 'form' }).click();
    await page.getByLabel('Who').fill('Ann');
    await page.selectOption('select', 'L');
    await page.check('[name=news]');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/sent/);
    expect(await page.textContent('#query')).toBe('?who=Ann&size=L&news=on');
    await page.goto(`${site.origin}/late`);
    expect(await page.locator('#late').textContent()).toBe('here');
    await page.goto(site.origin);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#popup')]);
    await popup.waitForLoadState();
    expect(await popup.title()).toBe('other');
    await popup.close();
    await page.goto(`${site.origin}/frames`);
    const inner = page.frameLocator('[name=inner]');
    await inner.getByLabel('Who').pressSequentially('Bo');
    await page.keyboard.press('Backspace');
    expect(await inner.getByLabel('Who').inputValue()).toBe('B');
  });

  test('intercepts requests, calls back from the page, keeps cookies and storage', async () => {
    await using opened = await open();
    const { page, context } = opened;
    const read = () => page.evaluate("fetch('/data.json').then((r) => r.json()).catch((e) => e.message)");
    await page.goto(site.origin);
    expect(await read()).toEqual({ from: 'site' });
    await page.route('**/data.json', (route) => route.fulfill({ json: { from: 'client' } }));
    expect(await read()).toEqual({ from: 'client' });
    await page.unroute('**/data.json');
    await page.route('**/data.json', (route) => route.abort());
    expect(await read()).toBe('Failed to fetch');
    await page.unroute('**/data.json');
    const [response] = await Promise.all([page.waitForResponse('**/data.json'), read()]);
    expect(await response.json()).toEqual({ from: 'site' });
    await page.exposeFunction('plus', (a: number, b: number) => a + b);
    expect(await page.evaluate('plus(1, 2)')).toBe(3);
    await context.addCookies([{ name: 'a', value: '1', url: site.origin }]);
    expect(await page.evaluate('document.cookie')).toContain('a=1');
    await context.clearCookies();
    expect((await context.storageState()).cookies).toEqual([]);
  });

  test('takes screenshots, PDFs, traces, coverage and snapshots of the accessibility tree', async () => {
    await using opened = await open();
    const { page, context } = opened;
    await page.coverage.startJSCoverage();
    await page.coverage.startCSSCoverage();
    await page.goto(`${site.origin}/styled`);
    expect(await page.coverage.stopJSCoverage()).toHaveLength(1);
    expect(await page.coverage.stopCSSCoverage()).toHaveLength(1);
    expect((await page.screenshot({ fullPage: true })).subarray(1, 4).toString()).toBe('PNG');
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
    await context.tracing.start({ screenshots: true, snapshots: true });
    await page.goto(site.origin);
    await context.tracing.stop({ path: join(folder, 'trace.zip') });
    expect(await page.locator('body').ariaSnapshot()).toContain('heading "Home"');
  });

  test('emulates devices, in contexts of its own that go with it', async () => {
    await using opened = await open();
    const { page, browser } = opened;
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true);
    const context = await browser.newContext({ ...devices['iPhone 13'], timezoneId: 'Asia/Tokyo' });
    const phone = await context.newPage();
    await phone.goto(site.origin);
    const seen = await phone.evaluate(
      '[/iPhone/.test(navigator.userAgent), Intl.DateTimeFormat().resolvedOptions().timeZone]',
    );
    expect(seen).toEqual([true, 'Asia/Tokyo']);
    await context.close();
  });

  test('answers dialogs, reads workers, and sends files from where it runs', async () => {
    await using opened = await open();
    const { page } = opened;
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${site.origin}/ask`);
    expect(await page.title()).toBe('answer: true');
    await page.goto(`${site.origin}/ask`);
    expect(await page.title()).toBe('answer: false');
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(`${site.origin}/worker`)]);
    expect(await worker.evaluate('self.answer')).toBe(42);
    const file = join(folder, 'mine.txt');
    await writeFile(file, 'from the client');
    await page.goto(`${site.origin}/form`);
    await page.setInputFiles('#file', file);
    await page.getByText('mine.txt: from the client').waitFor();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#file')]);
    await chooser.setFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('bytes') });
    await page.getByText('b.txt: bytes').waitFor();
  });

  test('hears of downloads, whose bytes stay with the service', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.goto(site.origin);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    expect([download.suggestedFilename(), await download.failure()]).toEqual(['report.csv', null]);
    const told = /browserd keeps it: GET …\/downloads/;
    await expect(download.saveAs(join(folder, 'report.csv'))).rejects.toThrow(told);
    await expect(download.createReadStream()).rejects.toThrow(told);
    await expect(download.path().then((path) => readFile(path))).rejects.toThrow(told);
  });

  test('ends a download that it hears of', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.goto(site.origin);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#endless')]);
    await download.cancel();
    expect(await download.failure()).toBe('canceled');
  });

  test('is told at once that a path of its own machine is no use, when it says that it shares one', async () => {
    const browser = await chromium.connectOverCDP(url, { isLocal: true });
    const page = await browser.contexts()[0]?.newPage();
    await page?.goto(`${site.origin}/form`);
    const file = join(folder, 'local.txt');
    await writeFile(file, 'from the client');
    // without a time limit of Playwright's, which would else be what ends it
    const given = page?.setInputFiles('#file', file, { timeout: 0 });
    await expect(given).rejects.toThrow(/uploaded to this browser.*isLocal/s);
    await page?.fill('[name=who]', 'the page is as it was');
    expect(await page?.inputValue('[name=who]')).toBe('the page is as it was');
    await page?.close();
    await browser.close();
  });
});

describe('Puppeteer', () => {
  const open = async () => {
    const browser = await puppeteer.connect({ browserWSEndpoint: url });
    const page = await browser.newPage();
    return {
      browser,
      page,
      [Symbol.asyncDispose]: async () => {
        await page.close();
        await browser.disconnect();
      },
    };
  };

  test('connects by ws and by http, with a token or a key, and leaves the browser alive', async () => {
    const http = `${server.api.url}${cdpPath(id)}`;
    for (const options of [
      { browserWSEndpoint: url },
      { browserURL: url.replace(/^ws/, 'http') },
      { browserURL: http, ...keyHeader(server.api) },
      { browserWSEndpoint: http.replace(/^http/, 'ws'), ...keyHeader(server.api) },
    ]) {
      const browser = await puppeteer.connect(options);
      const [page] = await browser.pages();
      expect(await page?.evaluate('1 + 1')).toBe(2);
      await browser.close();
    }
    expect((await server.api.get(id)).body).toMatchObject({ status: 'ready', epoch: 1 });
  });

  test('walks through pages, fills forms, waits, and sees popups and frames', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.goto(site.origin);
    await Promise.all([page.waitForNavigation(), page.click('a[href="/form"]')]);
    await page.locator('[name=who]').fill('Ann');
    await page.select('select', 'L');
    await page.click('[name=news]');
    await Promise.all([page.waitForNavigation(), page.click('button')]);
    expect(await page.$eval('#query', ({ textContent }) => textContent)).toBe('?who=Ann&size=L&news=on');
    await page.goto(`${site.origin}/late`);
    await page.waitForSelector('#late');
    await page.goto(site.origin);
    const [popup] = await Promise.all([
      new Promise<Awaited<ReturnType<typeof opened.browser.newPage>> | null>((resolve) => {
        page.once('popup', resolve);
      }),
      page.click('#popup'),
    ]);
    expect(await popup?.title()).toBe('other');
    await popup?.close();
    await page.goto(`${site.origin}/frames`);
    const inner = page.frames().find((frame) => frame.url().endsWith('/form'));
    await inner?.focus('[name=who]');
    await page.keyboard.type('Bo');
    expect(await inner?.$eval('[name=who]', (input) => (input as unknown as { value: string }).value)).toBe(
      'Bo',
    );
  });

  test('intercepts requests, calls back from the page, keeps cookies, and has contexts of its own', async () => {
    await using opened = await open();
    const { page, browser } = opened;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.url().endsWith('.json')) void request.respond({ body: '{"from":"client"}' });
      else void request.continue();
    });
    await page.goto(site.origin);
    expect(await page.evaluate("fetch('/data.json').then((r) => r.json())")).toEqual({ from: 'client' });
    await page.exposeFunction('plus', (a: number, b: number) => a + b);
    expect(await page.evaluate('plus(1, 2)')).toBe(3);
    await browser.setCookie({ name: 'b', value: '1', domain: '127.0.0.1' });
    const context = await browser.createBrowserContext();
    const other = await context.newPage();
    await other.goto(site.origin);
    expect([await page.evaluate('document.cookie'), await other.evaluate('document.cookie')]).toEqual([
      'b=1',
      '',
    ]);
    await context.close();
    await browser.deleteCookie(...(await browser.cookies()));
  });

  test('takes screenshots, PDFs, coverage, metrics, heap and accessibility snapshots', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.coverage.startJSCoverage();
    await page.coverage.startCSSCoverage();
    await page.goto(`${site.origin}/styled`);
    expect(await page.coverage.stopJSCoverage()).toHaveLength(1);
    expect(await page.coverage.stopCSSCoverage()).toHaveLength(1);
    expect(
      Buffer.from(await page.screenshot({ fullPage: true }))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(
      Buffer.from(await page.pdf())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await page.metrics()).Nodes).toBeGreaterThan(0);
    await page.captureHeapSnapshot({ path: join(folder, 'page.heapsnapshot') });
    expect((await page.accessibility.snapshot())?.name).toBe('styled');
  });

  test('emulates devices, answers dialogs and reads workers', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.emulate(KnownDevices['iPhone 13']);
    await page.emulateTimezone('Asia/Tokyo');
    await page.goto(site.origin);
    expect(await page.evaluate('/iPhone/.test(navigator.userAgent)')).toBe(true);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${site.origin}/ask`);
    expect(await page.title()).toBe('answer: true');
    const worker = new Promise<{ evaluate(code: string): Promise<unknown> }>((resolve) => {
      page.once('workercreated', resolve);
    });
    await page.goto(`${site.origin}/worker`);
    expect(await (await worker).evaluate('self.answer')).toBe(42);
  });

  test('is refused files of the machine it runs on, and traces of the whole browser', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.goto(`${site.origin}/form`);
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('#file')]);
    await expect(chooser.accept(['/etc/passwd'])).rejects.toThrow(/uploaded to this browser/);
    await expect(page.tracing.start()).rejects.toThrow(/not allowed here/);
  });
});
