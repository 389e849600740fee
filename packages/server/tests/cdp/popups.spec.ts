import { type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capability } from '../support/cdp-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** A new page runs only once the client has set it up, as on a Chromium of its own. */
const pages = {
  '/opener': '<!doctype html><title>opener</title>',
  '/popup': '<!doctype html><script>document.title = "init:" + (window.fromInit ?? "none")</script>',
  '/alerting': '<!doctype html><title>alerting</title><script>alert("while it loads")</script>',
};
const popups = 8;
const all = (text: string): string[] => Array.from({ length: popups }, () => text);
const policy = { privateAccess: { localhost: true } };

let server: TestServer;
let site: Site;
beforeAll(async () => {
  [server, site] = await Promise.all([startServer(), startSite(pages)]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

/** Opens popups one after another; what each of them was seen to be. */
async function seenIn(
  context: BrowserContext,
  origin: string,
): Promise<{ routed: number; titles: string[] }> {
  let routed = 0;
  await context.route('**/popup?*', (route) => {
    routed++;
    return route.continue();
  });
  await context.addInitScript('window.fromInit = "yes"');
  const page = await context.newPage();
  await page.goto(`${origin}/opener`);
  const titles: string[] = [];
  for (let n = 0; n < popups; n++) {
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void open('/popup?${n}')`),
    ]);
    await popup.waitForLoadState();
    titles.push(await popup.title());
    await popup.close();
  }
  await page.close();
  return { routed, titles };
}

describe.each(['shell', 'full'])('popups with an opener in the engine %s', (engine) => {
  let id: string;
  beforeAll(async () => {
    id = (await server.api.create({ policy, engine })).body.id;
  });

  test('are routed and get the init scripts of a client before they run', async () => {
    const browser = await chromium.connectOverCDP(await capability(server.api, id));
    const [context] = browser.contexts();
    if (!context) throw new Error('there is no context');
    const { routed, titles } = await seenIn(context, site.origin);
    await browser.close();
    expect([routed, ...titles]).toEqual([popups, ...all('init:yes')]);
  });

  test('that alert while they load tell the client of the dialog', async () => {
    const browser = await chromium.connectOverCDP(await capability(server.api, id));
    const [context] = browser.contexts();
    const page = await context?.newPage();
    await page?.goto(`${site.origin}/opener`);
    const said: string[] = [];
    context?.on('dialog', (dialog) => {
      said.push(dialog.message());
      void dialog.accept();
    });
    for (let n = 0; n < popups; n++) {
      const [popup] = await Promise.all([
        page?.waitForEvent('popup'),
        page?.evaluate("void open('/alerting')"),
      ]);
      await popup?.waitForLoadState();
      await popup?.close();
    }
    await page?.close();
    await browser.close();
    expect(said).toEqual(all('while it loads'));
  });

  test('are routed and get the init scripts of a script before they run', async () => {
    const { execute } = scriptClient(server, id);
    const { body } = await execute(
      `let routed = 0; await context.route('**/popup?*', (route) => { routed++; return route.continue() });
       await context.addInitScript('window.fromInit = "yes"');
       await page.goto('${site.origin}/opener');
       const titles = [];
       for (let n = 0; n < ${popups}; n++) {
         const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate((number) => void open('/popup?' + number), n)]);
         await popup.waitForLoadState();
         titles.push(await popup.title());
         await popup.close();
       }
       return [routed, ...titles]`,
    );
    const { error, result } = body;
    expect({ error, result }).toEqual({ error: undefined, result: [popups, ...all('init:yes')] });
  });
});
