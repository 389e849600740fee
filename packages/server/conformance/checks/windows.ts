/** Windows: how large they are, how large pages open them and clients make them. */
import type { CDPSession, Page } from 'playwright-core';
import { type Checks, failureOf, type World } from '../check.ts';

const inner = 'innerWidth + "x" + innerHeight';
const outer = 'outerWidth + "x" + outerHeight';

/** Sizes arrive a moment after they were asked for. */
const until = (page: Page, size: string, expected: string): Promise<string> =>
  page.waitForFunction(`${size} === '${expected}'`, undefined, { timeout: 5000 }).then(
    () => expected,
    () => page.evaluate(size) as Promise<string>,
  );

async function windowOf(cdp: CDPSession): Promise<number> {
  return (await cdp.send('Browser.getWindowForTarget')).windowId;
}

async function opened({ page, site }: World, features: string): Promise<Page> {
  await page.goto(`${site.origin}/plain`);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`void (window.other = open('/other', '_blank', '${features}'))`),
  ]);
  await popup.waitForLoadState();
  return popup;
}

export const windows: Checks = {
  'the state of a window': async ({ session }) => {
    const { bounds } = await (await session()).send('Browser.getWindowForTarget');
    return bounds.windowState;
  },
  'a window that a client resizes': async ({ page, session }) => {
    const cdp = await session();
    const windowId = await windowOf(cdp);
    await cdp.send('Browser.setWindowBounds', { windowId, bounds: { width: 900, height: 700 } });
    const there = await until(page, outer, '900x700');
    const innerWidth = await until(page, '"" + innerWidth', '900');
    const { bounds } = await cdp.send('Browser.getWindowBounds', { windowId });
    return [bounds.width, bounds.height, bounds.windowState, there, innerWidth];
  },
  'a window that a client moves': async ({ page, session }) => {
    const cdp = await session();
    const windowId = await windowOf(cdp);
    await cdp.send('Browser.setWindowBounds', {
      windowId,
      bounds: { left: 30, top: 40, width: 800, height: 600 },
    });
    const there = await until(page, 'screenX + "x" + screenY', '30x40');
    const { bounds } = await cdp.send('Browser.getWindowBounds', { windowId });
    return [bounds.left, bounds.top, there];
  },
  'contents that a client resizes': async ({ page, session }) => {
    const cdp = await session();
    await cdp.send('Browser.setContentsSize', { windowId: await windowOf(cdp), width: 800, height: 600 });
    return until(page, inner, '800x600');
  },
  'a page that Puppeteer resizes': async ({ puppeteer }) => {
    const { page } = await puppeteer();
    await page.resize({ contentWidth: 640, contentHeight: 480 });
    await page
      .waitForFunction("innerWidth + 'x' + innerHeight === '640x480'", { timeout: 2000 })
      .catch(() => undefined);
    return page.evaluate(inner);
  },
  'a page after its client has resized it and set its size': async ({ page, session }) => {
    const cdp = await session();
    await cdp.send('Browser.setContentsSize', { windowId: await windowOf(cdp), width: 800, height: 600 });
    await page.setViewportSize({ width: 500, height: 400 });
    return until(page, inner, '500x400');
  },
  'the states of a window': async ({ session }) => {
    const cdp = await session();
    const windowId = await windowOf(cdp);
    const seen: unknown[] = [];
    for (const windowState of [
      'maximized',
      'normal',
      'fullscreen',
      'normal',
      'minimized',
      'normal',
    ] as const) {
      const failure = await failureOf(
        cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState } }),
      );
      const { bounds } = await cdp.send('Browser.getWindowBounds', { windowId });
      seen.push([windowState, failure, bounds.windowState]);
    }
    return seen;
  },
  'a size for a window that fills the screen': async ({ session }) => {
    const cdp = await session();
    const windowId = await windowOf(cdp);
    await cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'fullscreen' } });
    const failure = await failureOf(
      cdp.send('Browser.setWindowBounds', { windowId, bounds: { width: 500 } }),
    );
    await cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
    return failure;
  },
  'no such window': async ({ session }) =>
    failureOf(
      (await session()).send('Browser.setWindowBounds', { windowId: 987_654, bounds: { width: 500 } }),
    ),
  'a popup of a size': async (world) => {
    const popup = await opened(world, 'width=420,height=330');
    return [
      await until(popup, inner, '420x330'),
      await popup.evaluate('outerWidth >= innerWidth && outerHeight >= innerHeight'),
    ];
  },
  'a popup of a size at a place': async (world) => {
    const popup = await opened(world, 'left=50,top=60,width=300,height=200');
    return [await until(popup, inner, '300x200'), await until(popup, 'screenX + "x" + screenY', '50x60')];
  },
  'a popup of a size without an opener': async (world) => {
    const popup = await opened(world, 'noopener,width=420,height=330');
    return until(popup, inner, '420x330');
  },
  'a popup that is hardly there': async (world) => {
    const popup = await opened(world, 'width=10,height=10');
    return until(popup, inner, '100x100');
  },
  'a popup that its opener resizes': async (world) => {
    const popup = await opened(world, 'width=420,height=330');
    await world.page.evaluate('other.resizeTo(510, 410)');
    return until(popup, outer, '510x410');
  },
  'a popup that a client sizes after all': async (world) => {
    const popup = await opened(world, 'width=420,height=330');
    await popup.setViewportSize({ width: 600, height: 500 });
    return until(popup, inner, '600x500');
  },
  'bars of a popup': async (world) => {
    const popup = await opened(world, 'width=420,height=330');
    const bars = '[menubar.visible, toolbar.visible, locationbar.visible, statusbar.visible]';
    return [await popup.evaluate(bars), await world.page.evaluate(bars)];
  },
  'a window of a size that a client opens': async ({ context, session, page }) => {
    const cdp = await session();
    const [opening] = await Promise.all([
      context.waitForEvent('page'),
      cdp.send('Target.createTarget', { url: 'about:blank', newWindow: true, width: 640, height: 480 }),
    ]);
    return [opening !== page, await until(opening, outer, '640x480')];
  },
  'pages of one window': async ({ context, session }) => {
    const first = await windowOf(await session());
    const second = await context.newPage();
    return first === (await windowOf(await context.newCDPSession(second)));
  },
  'the size of pages in a context of a client’s own': async ({ browser, site }) => {
    const context = await browser.newContext({ viewport: { width: 900, height: 650 } });
    const page = await context.newPage();
    await page.goto(`${site.origin}/plain`);
    const before = await page.evaluate(inner);
    await page.setViewportSize({ width: 800, height: 500 });
    const after = await page.evaluate(inner);
    await context.close();
    return [before, after];
  },
  'a popup of a size in a context of a client’s own': async (world) => {
    const context = await world.browser.newContext({ viewport: { width: 900, height: 650 } });
    const popup = await opened({ ...world, page: await context.newPage() }, 'width=420,height=330');
    const seen = await until(popup, inner, '420x330');
    await context.close();
    return seen;
  },
  'an element that fills the screen': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate(
      "void document.addEventListener('click', () => document.querySelector('h1').requestFullscreen())",
    );
    await page.click('h1');
    await page.waitForFunction('document.fullscreenElement', undefined, { timeout: 2000 });
    const tag = await page.evaluate('document.fullscreenElement.tagName');
    await page.evaluate('document.exitFullscreen()');
    return [tag, await page.evaluate('document.fullscreenElement')];
  },
  'which page is in front': async ({ context, page }) => {
    const look = '[document.visibilityState, document.hasFocus()]';
    const second = await context.newPage();
    await page.bringToFront();
    return [await page.evaluate(look), await second.evaluate(look)];
  },
};
