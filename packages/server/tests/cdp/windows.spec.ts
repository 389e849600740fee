import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { capability } from '../support/cdp-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

/** Clients size windows as on a Chromium of their own, and leave them as they were. */
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const inner = '[innerWidth, innerHeight]';

describe.each(['shell', 'full'])('in the engine %s', (engine) => {
  let id: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let session: CDPSession;

  beforeAll(async () => {
    id = (await server.api.create({ engine, viewport: { width: 1000, height: 650 } })).body.id;
  });
  beforeEach(async () => {
    browser = await chromium.connectOverCDP(await capability(server.api, id));
    const [first] = browser.contexts();
    if (!first) throw new Error('there is no context');
    context = first;
    page = context.pages()[0] ?? (await context.newPage());
    session = await context.newCDPSession(page);
  });
  afterEach(async () => {
    await browser.close();
  });

  const until = async (shown: Page, size: [number, number]): Promise<void> => {
    await shown.waitForFunction(`innerWidth === ${size[0]} && innerHeight === ${size[1]}`);
  };

  test('a window has a normal state, takes a size, and its pages have it, also later ones', async () => {
    const { windowId, bounds } = await session.send('Browser.getWindowForTarget');
    expect(bounds).toMatchObject({ width: 1280, height: 720, windowState: 'normal' });
    expect(await page.evaluate(inner)).toEqual([1000, 650]);
    await session.send('Browser.setContentsSize', { windowId, width: 800, height: 600 });
    await until(page, [800, 600]);
    await session.send('Browser.setWindowBounds', { windowId, bounds: { width: 700, height: 500 } });
    expect((await session.send('Browser.getWindowBounds', { windowId })).bounds).toMatchObject({
      width: 700,
      height: 500,
      windowState: 'normal',
    });
    await page.waitForFunction('outerWidth === 700 && outerHeight === 500 && innerWidth === 700');
    const later = await context.newPage();
    expect(await later.evaluate('innerWidth')).toBe(engine === 'full' ? 700 : 1000);
    await later.close();
  });

  test('pages have the viewport of the settings again when the client has gone', async () => {
    const { windowId } = await session.send('Browser.getWindowForTarget');
    await session.send('Browser.setContentsSize', { windowId, width: 640, height: 480 });
    await until(page, [640, 480]);
    await browser.close();
    const { resultOf } = scriptClient(server, id);
    const size = await eventually(
      () => resultOf(`return page.evaluate(() => ${inner})`) as Promise<number[]>,
      ([width]) => width === 1000,
    );
    expect(size).toEqual([1000, 650]);
    const { status, body } = await server.api.status(id);
    expect([status, body.tabs.length]).toEqual([200, 1]);
  });

  test('a client that fills the screen is told so, until it has made the window normal again', async () => {
    const { windowId } = await session.send('Browser.getWindowForTarget');
    const set = (bounds: object) => session.send('Browser.setWindowBounds', { windowId, bounds });
    await set({ windowState: 'fullscreen' });
    const state = async () =>
      (await session.send('Browser.getWindowBounds', { windowId })).bounds.windowState;
    expect(await state()).toBe('fullscreen');
    await set({ windowState: 'normal' });
    expect(await state()).toBe('normal');
    await set({ width: 500, height: 400 });
    await page.waitForFunction('outerWidth === 500 && outerHeight === 400');
  });

  test('a page opens a window of its own size, and others have the viewport', async () => {
    const opened = async (features: string): Promise<Page> => {
      const [popup] = await Promise.all([
        context.waitForEvent('page'),
        page.evaluate(`void open('about:blank', '_blank', '${features}')`),
      ]);
      return popup;
    };
    const popup = await opened('width=420,height=330');
    // The full engine opens windows no smaller than its screen, as it does without the service.
    await until(popup, engine === 'shell' ? [420, 330] : [800, 565]);
    const plain = await opened('');
    expect(await plain.evaluate(inner)).toEqual([1000, 650]);
    await popup.close();
    await plain.close();
  });
});
