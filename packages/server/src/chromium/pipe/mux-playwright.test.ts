import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, launchRig, type Pages, type Rig, servePages } from './mux.fixture.ts';

/** Typical Playwright code, unchanged, through the mux and the filter. */
const site = {
  '/': `<!doctype html><title>home</title><h1>Home</h1>
    <input id=name><button onclick="document.title='hello '+document.querySelector('#name').value">go</button>
    <a id=popup target=_blank href="/other">popup</a><a id=download href="/file">download</a>
    <input id=file type=file onchange="this.files[0].text().then((t)=>document.title=this.files[0].name+':'+t)">`,
  '/other': '<!doctype html><title>other</title><p>other page</p>',
  '/file': {
    type: 'application/octet-stream',
    body: 'downloaded bytes',
    headers: { 'content-disposition': 'attachment; filename="report.txt"' },
  },
  '/alert': `<!doctype html><title>ask</title><script>setTimeout(()=>{document.title=String(confirm('sure?'))})</script>`,
  '/worker': `<!doctype html><title>w</title><script>new Worker(URL.createObjectURL(new Blob(['self.kind="worker"'])))</script>`,
  '/drag': `<!doctype html><title>drag</title><div id=a draggable=true style="width:50px;height:50px">a</div>
    <div id=b style="width:50px;height:50px" ondragover="event.preventDefault()" ondrop="document.title='dropped'">b</div>`,
};

describe.each(engines)('Playwright through the mux, engine %s', (engine) => {
  let rig: Rig;
  let pages: Pages;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    rig = await launchRig(engine);
    pages = await servePages(site);
    browser = await rig.connect();
    context = browser.contexts()[0] as BrowserContext;
    page = context.pages()[0] as Page;
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.[Symbol.asyncDispose]();
    await rig?.[Symbol.asyncDispose]();
  });

  test('it opens a page, fills, clicks and evaluates', async () => {
    await page.goto(`${pages.origin}/`);
    await page.fill('#name', 'Ada');
    await page.click('button');
    expect(await page.title()).toBe('hello Ada');
    expect(await page.evaluate(() => 6 * 7)).toBe(42);
    expect(await page.getByRole('heading').textContent()).toBe('Home');
  });

  test('it goes back, forward and reloads', async () => {
    await page.goto(`${pages.origin}/`);
    await page.goto(`${pages.origin}/other`);
    await page.goBack();
    expect(await page.title()).toBe('home');
    await page.goForward();
    await page.reload();
    expect(await page.title()).toBe('other');
  });

  test('it works in frames, also of another site', async () => {
    const frames = [pages.origin, pages.otherOrigin].map((origin) => `<iframe src="${origin}/"></iframe>`);
    await page.goto(`${pages.origin}/other`);
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(frames.join(''))}`);
    for (const number of [0, 1]) {
      const frame = page.frameLocator('iframe').nth(number);
      await frame.locator('#name').fill('Bob');
      await frame.locator('button').click();
      await expect.poll(() => page.frames()[number + 1]?.title()).toBe('hello Bob');
    }
  });

  test('it follows popups', async () => {
    await page.goto(`${pages.origin}/`);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#popup')]);
    await popup.waitForLoadState();
    expect(await popup.title()).toBe('other');
    await popup.close();
  });

  test('it opens and closes tabs', async () => {
    const tab = await context.newPage();
    await tab.goto(`${pages.origin}/other`);
    expect(await tab.locator('p').textContent()).toBe('other page');
    await tab.close();
    expect(context.pages()).toHaveLength(1);
  });

  test('it intercepts requests', async () => {
    await page.route('**/other', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>made up</title>' }),
    );
    await page.route('**/moved', (route) => route.continue({ url: `${pages.origin}/` }));
    await page.goto(`${pages.origin}/other`);
    expect(await page.title()).toBe('made up');
    await page.goto(`${pages.origin}/moved`);
    expect(await page.title()).toBe('home');
    await page.route('**/gone', (route) => route.abort());
    await expect(page.goto(`${pages.origin}/gone`)).rejects.toThrow('ERR_FAILED');
    await page.unrouteAll();
  });

  test('it exposes functions and adds scripts to every page', async () => {
    await page.exposeFunction('double', (value: number) => value * 2);
    await page.addInitScript(() => Object.assign(globalThis, { early: 'yes' }));
    await page.goto(`${pages.origin}/other`);
    expect(await page.evaluate('double(21)')).toBe(42);
    expect(await page.evaluate('early')).toBe('yes');
  });

  test('it takes screenshots and prints', async () => {
    await page.goto(`${pages.origin}/`);
    expect((await page.screenshot({ fullPage: true })).subarray(1, 4).toString()).toBe('PNG');
    expect((await page.locator('h1').screenshot({ type: 'jpeg' })).length).toBeGreaterThan(100);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('it downloads into the folder of the service', async () => {
    await page.goto(`${pages.origin}/`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    expect(download.suggestedFilename()).toBe('report.txt');
    expect(await download.failure()).toBeNull();
    const place = await download.path();
    expect(await rig.downloaded(place.slice(place.lastIndexOf('/') + 1))).toBe('downloaded bytes');
  });

  test('it gives a page the files that were handed out, and no others', async () => {
    await page.goto(`${pages.origin}/`);
    const path = await rig.handOut('notes.txt', 'inside');
    await page.setInputFiles('#file', path);
    await expect.poll(() => page.title()).toBe('notes.txt:inside');
    await page.setInputFiles('#file', {
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('inline'),
    });
    await expect.poll(() => page.title()).toBe('a.txt:inline');
    const input = await page.$('#file');
    await expect(input?.setInputFiles('/etc/hostname')).rejects.toThrow('Only files that were uploaded');
  });

  test('it answers dialogs', async () => {
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${pages.origin}/alert`);
    await expect.poll(() => page.title()).toBe('true');
  });

  test('it drags and drops', async () => {
    await page.goto(`${pages.origin}/drag`);
    await page.dragAndDrop('#a', '#b');
    expect(await page.title()).toBe('dropped');
  });

  test('it sees workers', async () => {
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(`${pages.origin}/worker`)]);
    expect(await worker.evaluate('self.kind')).toBe('worker');
  });

  test('it keeps and reads cookies', async () => {
    await context.addCookies([{ name: 'a', value: 'b', url: pages.origin }]);
    expect(await context.cookies(pages.origin)).toMatchObject([{ name: 'a', value: 'b' }]);
    await context.clearCookies();
    expect(await context.cookies()).toEqual([]);
  });

  test('it grants permissions, sets the place, the viewport, the media and headers', async () => {
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: 48, longitude: 11 });
    await context.setExtraHTTPHeaders({ 'x-test': 'yes' });
    await page.setViewportSize({ width: 640, height: 480 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${pages.origin}/`);
    const seen = `new Promise((resolve) => navigator.geolocation.getCurrentPosition(({ coords }) =>
      resolve([coords.latitude, innerWidth, matchMedia('(prefers-color-scheme: dark)').matches])))`;
    expect(await page.evaluate(seen)).toEqual([48, 640, true]);
    await context.clearPermissions();
  });

  test('it reads responses and what the page says', async () => {
    const said = page.waitForEvent('console');
    const response = await page.goto(`${pages.origin}/other`);
    await page.evaluate(`console.log('spoken')`);
    expect((await said).text()).toBe('spoken');
    expect(await response?.text()).toContain('other page');
  });

  test('it makes contexts of its own, which go through the same exit', async () => {
    const own = await browser.newContext({
      userAgent: 'Own',
      locale: 'de-DE',
      timezoneId: 'Asia/Tokyo',
      viewport: { width: 300, height: 200 },
    });
    const tab = await own.newPage();
    const before = rig.egress.stats().bytesOut;
    await tab.goto(`${pages.origin}/`);
    expect(rig.egress.stats().bytesOut).toBeGreaterThan(before);
    expect(await tab.evaluate('[navigator.userAgent, navigator.language, innerWidth]')).toEqual([
      'Own',
      'de-DE',
      300,
    ]);
    const [download] = await Promise.all([tab.waitForEvent('download'), tab.click('#download')]);
    expect(await download.failure()).toBeNull();
    await own.close();
  });

  test('it speaks the protocol itself, within the same bounds', async () => {
    const session = await context.newCDPSession(page);
    expect(await session.send('Runtime.evaluate', { expression: '1+1' })).toMatchObject({
      result: { value: 2 },
    });
    await expect(session.send('Page.navigate', { url: 'file:///etc/passwd' })).rejects.toThrow('not allowed');
    await session.detach();
    const whole = await browser.newBrowserCDPSession();
    await expect(whole.send('Browser.getBrowserCommandLine')).rejects.toThrow('not allowed');
    await whole.detach();
  });

  test('it gets a plain error for what it cannot do', async () => {
    await expect(page.goto('file:///etc/passwd')).rejects.toThrow("begin with 'file:' are not allowed");
    await expect(page.goto('no address')).rejects.toThrow('Cannot navigate to invalid URL');
    await expect(browser.newContext({ proxy: { server: 'http://127.0.0.1:1' } })).rejects.toThrow(
      'proxyServer',
    );
    await expect(browser.startTracing()).rejects.toThrow("'Tracing.start' is not allowed here");
  });

  test('it leaves by browser.close, and the browser stays', async () => {
    const second = await rig.connect();
    expect(second.contexts()[0]?.pages().length).toBeGreaterThan(0);
    await second.close();
    expect(await page.evaluate(() => 1)).toBe(1);
  });
});
