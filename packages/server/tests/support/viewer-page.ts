import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { expect, vi } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { liveCapability } from './live-client.ts';
import { livePages } from './live-pages.ts';
import { startServer, type TestServer } from './server.ts';
import { type Site, startSite } from './site.ts';

/** One managed browser, and a person with a web browser of its own in front of the page of its live address. */
export interface Person extends AsyncDisposable {
  server: TestServer;
  site: Site;
  id: string;
  /** Opens the live address in a window of its own; the managed browser shows this page of the site then. */
  open(path: string, how?: Opening): Promise<Window>;
  /** In the managed browser, by a script. */
  run(code: string): Promise<unknown>;
  read(expression: string): Promise<unknown>;
}

interface Opening {
  mode?: 'view' | 'control';
  context?: BrowserContextOptions;
  /** Runs in the window before the page of the live address. */
  before?: () => void;
}

export interface Window {
  page: Page;
  cdp: CDPSession;
  /** Where a place of the watched page is in this window. */
  at(x: number, y: number): Promise<{ x: number; y: number }>;
  click(x: number, y: number): Promise<void>;
}

/** Until it holds; what does not hold at the end is reported. */
export const seen = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 90_000, interval: 50 });

export async function startPerson(pages: Record<string, string> = {}): Promise<Person> {
  const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
  const [server, site, web] = await Promise.all([
    startServer(),
    startSite({ ...livePages, ...pages }),
    chromium.launch({ executablePath: (found.shell ?? found.full)?.path }),
  ]);
  const policy = { privateAccess: { localhost: true } };
  const { body } = await server.api.create({ policy, startUrl: `${site.origin}/` });
  const id: string = body.id;
  const run = async (code: string) => {
    const answer = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    expect(answer.body.error).toBeUndefined();
    return answer.body.result;
  };
  return {
    server,
    site,
    id,
    run,
    read: (expression) => run(`return page.evaluate(() => ${expression})`),
    async open(path, how) {
      await run(`await page.goto('${site.origin}${path}')`);
      const { url } = await liveCapability(server.api, id, how?.mode ?? 'control');
      return openWindow(web, url, how);
    },
    async [Symbol.asyncDispose]() {
      await web.close();
      await site.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const isDrawn = `(() => {
  const { data } = screen.getContext('2d').getImageData(0, 0, screen.width, screen.height);
  return data.some((value, index) => value !== 0 && index % 4 !== 3);
})()`.replaceAll('screen', "document.getElementById('screen')");

async function openWindow(web: Browser, url: string, { context: options, before }: Opening = {}) {
  for (const old of web.contexts()) await old.close();
  // tools for tests are put into the page from outside, which its content policy rightly forbids to pages
  const context = await web.newContext({
    viewport: { width: 1280, height: 900 },
    bypassCSP: true,
    ...options,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // how long it takes is the machine's affair
  context.setDefaultTimeout(90_000);
  if (before) await context.addInitScript(before);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(isDrawn, undefined, { timeout: 90_000 });
  const at: Window['at'] = async (x, y) => {
    const box = await page.locator('#screen').boundingBox();
    if (!box) throw new Error('the picture has no place in the window');
    return { x: box.x + (x * box.width) / 1280, y: box.y + (y * box.height) / 720 };
  };
  return {
    page,
    cdp: await context.newCDPSession(page),
    at,
    async click(x: number, y: number) {
      const place = await at(x, y);
      await page.mouse.click(place.x, place.y);
    },
  };
}
