import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keyHeader, socketUrl } from '../support/cdp-client.ts';
import { type Look, lookPages } from '../support/look-pages.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
const open = { policy: { privateAccess: { localhost: true } } };

beforeAll(async () => {
  site = await startSite(lookPages);
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const nextLook = (name = 'page'): Promise<Look> =>
  site.nextReport((report) => report.name === name) as Promise<unknown> as Promise<Look>;

const lookOf = (id: string): Promise<Look> =>
  scriptClient(server, id).resultOf('return page.evaluate(() => look())') as Promise<Look>;

describe.each(['shell', 'full'] as const)('with the engine %s', (engine) => {
  test('a page on a phone sees its size, touch, user agent and matching client hints, also after a resume', async () => {
    const { api } = server;
    const first = nextLook();
    const { body: browser } = await api.create({
      ...open,
      engine,
      device: 'pixel',
      startUrl: `${site.origin}/look`,
    });
    const pixel = {
      width: 412,
      height: 923,
      scale: 2.625,
      touchPoints: 5,
      hasTouch: true,
      coarse: true,
      platform: 'Linux armv81',
      orientation: 'portrait-primary',
      userAgent: expect.stringMatching(/Android 10; K.* Chrome\/\d+\.0\.0\.0 Mobile Safari/),
      hints: {
        mobile: true,
        platform: 'Android',
        brands: expect.arrayContaining(['Chromium']),
        model: 'Pixel 9',
      },
    };
    expect(browser).toMatchObject({
      device: 'pixel',
      viewport: { width: 412, height: 923, deviceScaleFactor: 2.625 },
    });
    expect(await first).toMatchObject(pixel);
    const request = site.requests.findLast(({ url }) => url === '/look');
    expect(request?.headers).toMatchObject({
      'user-agent': pixel.userAgent,
      'sec-ch-ua-mobile': '?1',
      'sec-ch-ua-platform': '"Android"',
    });
    expect(await lookOf(browser.id)).toMatchObject(pixel);

    await api.stop(browser.id);
    const again = nextLook();
    await api.resume(browser.id);
    expect(await again).toMatchObject(pixel);
    await api.remove(browser.id);
  });

  test('frames of other sites, workers and popups are on the same device', async () => {
    const { api } = server;
    const looks = Promise.all(['frame', 'popup', 'worker'].map(nextLook));
    const { body: browser } = await api.create({
      ...open,
      engine,
      device: 'pixel',
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      startUrl: `${site.origin}/look-around`,
    });
    const [frame, popup, worker] = await looks;
    const phone = { touchPoints: 5, hasTouch: true, dark: true, reduced: true, scale: 2.625 };
    // How dense its pixels are it learns a little later.
    expect(frame).toMatchObject({ ...phone, scale: expect.any(Number), hints: { model: 'Pixel 9' } });
    expect(popup).toMatchObject({ ...phone, width: 412, hints: { model: 'Pixel 9' } });
    expect(worker).toMatchObject({
      userAgent: expect.stringContaining('Android 10'),
      hints: { platform: 'Android' },
    });

    const frameAgain = nextLook('frame');
    const { body: changed } = await api.patch(browser.id, { colorScheme: 'light', device: 'desktop' });
    expect(changed).toMatchObject({ colorScheme: 'light', device: 'desktop', viewport: { width: 1920 } });
    await scriptClient(server, browser.id).resultOf(
      `const at = context.pages().find((each) => each.url().includes('around'));
       await at.evaluate(() => frames[0].postMessage('again', '*'))`,
    );
    expect(await frameAgain).toMatchObject({
      dark: false,
      reduced: true,
      touchPoints: 0,
      hints: { platform: 'Windows' },
    });
    await api.remove(browser.id);
  });

  test('an iPhone sends the user agent of Safari and no client hints', async () => {
    const { api } = server;
    const first = nextLook();
    const { body: browser } = await api.create({
      ...open,
      engine,
      device: 'iphone',
      viewport: { width: 852, height: 393, deviceScaleFactor: 3 },
      startUrl: `${site.origin}/look`,
    });
    expect(await first).toMatchObject({
      width: 852,
      orientation: 'landscape-primary',
      platform: 'iPhone',
      userAgent: expect.stringContaining('iPhone OS 18_5'),
      hints: { brands: [], platform: '' },
    });
    const request = site.requests.findLast(({ url }) => url === '/look');
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('sec-ch-ua'))).toEqual([]);
    await api.remove(browser.id);
  });

  test('device, colour scheme and motion change while a page is open, and go again', async () => {
    const { api } = server;
    const first = nextLook();
    const { body: browser } = await api.create({ ...open, engine, startUrl: `${site.origin}/look` });
    const before = await first;
    expect(before).toMatchObject({ dark: false, reduced: false, touchPoints: 0, width: 1280 });

    await api.patch(browser.id, { device: 'ipad', colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await lookOf(browser.id)).toMatchObject({
      width: 820,
      dark: true,
      reduced: true,
      touchPoints: 5,
      platform: 'iPad',
    });

    const { body: back } = await api.patch(browser.id, {
      device: null,
      colorScheme: null,
      reducedMotion: null,
    });
    expect(back).toMatchObject({ viewport: { width: 1280, height: 720, deviceScaleFactor: 1 } });
    expect(back).not.toHaveProperty('device');
    expect(await lookOf(browser.id)).toEqual(before);

    const { body: sized } = await api.patch(browser.id, { viewport: { width: 640, height: 480 } });
    expect(sized.viewport).toEqual({ width: 640, height: 480, deviceScaleFactor: 1 });
    expect(await lookOf(browser.id)).toMatchObject({ width: 640, height: 480 });
    await api.remove(browser.id);
  });

  test('a browser that is offline loads nothing until it is online again', async () => {
    const { api } = server;
    const loaded = nextLook('reach');
    const { body: browser } = await api.create({ ...open, engine, startUrl: `${site.origin}/reach` });
    await loaded;
    const { resultOf } = scriptClient(server, browser.id);
    const { body: offline } = await api.patch(browser.id, { network: { offline: true } });
    expect(offline.network).toEqual({ offline: true });
    expect(await lookOf(browser.id)).toMatchObject({ online: false });
    const all = 'return page.evaluate(() => reachAll())';
    const failed = {
      page: 'failed',
      worker: 'failed',
      frame: 'failed',
      serviceWorker: 'failed',
      webSocket: 'failed',
    };
    expect(await resultOf(all)).toEqual(failed);
    // Chromium shows its error page a moment after a visit has failed, which would interrupt the next visit.
    const visit = (
      tab: string,
    ) => `return ${tab}.goto('${site.origin}/other').then(() => 'loaded', async (error) => {
      await ${tab}.waitForURL(/^chrome-error:/);
      return error.message;
    })`;
    expect(await resultOf(visit('page'))).toContain('ERR_INTERNET_DISCONNECTED');
    const inFresh = `const tab = await context.newPage(); ${visit('tab')}`;
    expect(await resultOf(inFresh)).toContain('ERR_INTERNET_DISCONNECTED');

    await api.patch(browser.id, { network: null });
    expect(await resultOf(`await page.goto('${site.origin}/other'); return page.title()`)).toBe('other');
    expect(await resultOf('return page.evaluate(() => navigator.onLine)')).toBe(true);
    const again = nextLook('reach');
    await resultOf(`await page.goto('${site.origin}/reach')`);
    await again;
    const reached = {
      page: 'reached',
      worker: 'reached',
      frame: 'reached',
      serviceWorker: 'reached',
      webSocket: 'reached',
    };
    expect(await resultOf(all)).toEqual(reached);
    await api.remove(browser.id);
  });

  test('a slow network holds answers back for as long as it was asked to', async () => {
    const { api } = server;
    const { body: browser } = await api.create({
      ...open,
      engine,
      network: { latencyMs: 400, downloadKbps: 8000, uploadKbps: 8000 },
      startUrl: `${site.origin}/look`,
    });
    const { resultOf } = scriptClient(server, browser.id);
    const timed = `return page.evaluate(async () => { const began = performance.now();
      await (await fetch('/other?' + Math.random())).text(); return performance.now() - began })`;
    expect(await resultOf(timed)).toBeGreaterThan(390);
    await api.stop(browser.id);
    await api.resume(browser.id);
    expect(await resultOf(timed)).toBeGreaterThan(390);
    await api.remove(browser.id);
  });
});

test('what a client asks for itself wins while it is connected; what its library sends unasked does not', async () => {
  const { api } = server;
  const { body: browser } = await api.create({
    ...open,
    colorScheme: 'dark',
    network: { latencyMs: 1 },
    startUrl: `${site.origin}/look`,
  });
  const client = await chromium.connectOverCDP(socketUrl(api, browser.id), keyHeader(api));
  const page = client.contexts()[0]?.pages()[0];
  const darkness = `matchMedia('(prefers-color-scheme: dark)').matches`;
  const isDark = () => page?.evaluate(darkness);
  expect(await isDark()).toBe(true);
  await page?.emulateMedia({ colorScheme: 'light' });
  expect(await isDark()).toBe(false);
  const session = await client.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const { windowId } = await session.send('Browser.getWindowForTarget', {
    targetId: targetInfos.find(({ type }) => type === 'page')?.targetId ?? '',
  });
  await session.send('Browser.setWindowBounds', { windowId, bounds: { width: 1000, height: 700 } });
  expect(await isDark()).toBe(false);
  await page?.context().setOffline(true);
  expect(await page?.evaluate('navigator.onLine')).toBe(false);
  const own = await client.newContext();
  const ownPage = await own.newPage();
  expect(await ownPage.evaluate(darkness)).toBe(false);
  await client.close();
  await vi.waitFor(async () => expect(await lookOf(browser.id)).toMatchObject({ dark: true, online: true }), {
    timeout: 90_000,
    interval: 200,
  });
  await api.remove(browser.id);
});

test('a quick action sees the page as on the device that was asked for', async () => {
  const look = nextLook();
  const { status } = await server.api.call('POST', '/v1/scrape', {
    body: {
      ...open,
      url: `${site.origin}/look`,
      device: 'iphone',
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    },
  });
  expect(status).toBe(200);
  expect(await look).toMatchObject({ width: 393, touchPoints: 5, dark: true, reduced: true });
});

test('wrong values are named', async () => {
  const bad: [object, string][] = [
    [{ device: 'nokia' }, 'device'],
    [{ colorScheme: 'blue' }, 'colorScheme'],
    [{ reducedMotion: true }, 'reducedMotion'],
    [{ network: { downloadKbps: 0 } }, 'network.downloadKbps'],
    [{ network: { speed: 1 } }, 'speed'],
  ];
  for (const [input, path] of bad) {
    const { status, body } = await server.api.create(input);
    expect(status, JSON.stringify(input)).toBe(400);
    expect(JSON.stringify(body.error.details.issues), path).toContain(path);
  }
});
