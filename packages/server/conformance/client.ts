/** A client at one browser: gives each check its world, bounds it, and leaves nothing of it behind. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import puppeteer, { type Browser as PuppeteerBrowser } from 'puppeteer-core';
import { type Check, firstLine, type World } from './check.ts';
import type { ConformanceSite } from './site.ts';

const patienceMs = 30_000;

/** What a check returned, or how it failed; always JSON. */
export async function outcomeOf(check: Check, url: string, site: ConformanceSite): Promise<unknown> {
  await using undo = new AsyncDisposableStack();
  const outcome = await attempt(check, url, site, undo);
  const untidy = await inTime(undo.disposeAsync()).catch(firstLine);
  return untidy === undefined ? outcome : { outcome, untidy };
}

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

async function attempt(
  check: Check,
  url: string,
  site: ConformanceSite,
  undo: AsyncDisposableStack,
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-conformance-'));
  // Chromium may run as another user, and a client's downloads go here.
  await chmod(folder, 0o777);
  undo.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const world = await inTime(openWorld(url, site, folder, undo));
    const value = await inTime(check(world));
    return JSON.parse(JSON.stringify(value ?? null)) as unknown;
  } catch (error) {
    return { failed: firstLine(error) };
  }
}

async function openWorld(
  url: string,
  site: ConformanceSite,
  folder: string,
  undo: AsyncDisposableStack,
): Promise<World> {
  const connect: World['connect'] = async (options) => {
    const opened = await chromium.connectOverCDP(url, { artifactsDir: folder, ...options });
    undo.defer(() => opened.close());
    return opened;
  };
  const browser = await connect();
  const [context] = browser.contexts();
  if (!context) throw new Error('The browser has no context.');
  const before = new Set(context.pages());
  const page = await context.newPage();
  undo.defer(async () => {
    if (browser.isConnected()) return tidy(browser, before, site);
    const again = await chromium.connectOverCDP(url);
    await tidy(again, new Set(again.contexts()[0]?.pages()), site);
    await again.close();
  });
  return {
    site,
    browser,
    context,
    page,
    folder,
    connect,
    session: () => context.newCDPSession(page),
    async puppeteer() {
      // Playwright knows every page, and would answer their dialogs.
      await page.close();
      await browser.close();
      const opened: PuppeteerBrowser = await puppeteer.connect({
        browserWSEndpoint: url,
        defaultViewport: null,
      });
      const already = new Set(await opened.pages());
      undo.defer(async () => {
        for (const each of await opened.pages()) if (!already.has(each)) await each.close();
        await opened.disconnect();
      });
      return { browser: opened, page: await opened.newPage() };
    },
  };
}

/** The browser is the next check's, too: it has one page, and nothing is kept in it. */
async function tidy(browser: Browser, before: ReadonlySet<unknown>, site: ConformanceSite): Promise<void> {
  const [context] = browser.contexts();
  if (!context) return;
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  const [kept] = context.pages().filter((page) => before.has(page));
  const cdp = kept && (await context.newCDPSession(kept));
  for (const origin of [site.origin, site.otherOrigin])
    await cdp?.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await Promise.all(context.pages().map((page) => (before.has(page) ? undefined : page.close())));
}
