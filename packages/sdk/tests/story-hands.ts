import { chromium } from 'playwright-core';
import { expect } from 'vitest';
import type { Stories } from './story-world.ts';
import { openWebPage } from './web-page.ts';

/** Others at the same browser: Playwright, a person, and a web page that uses the SDK itself. */
export const handStories: Stories = {
  'Playwright connects by the address that it is given': async ({ browser, covered }) => {
    const address = await browser.playwright({ ttlSeconds: 60 });
    covered.asked('GET', address);
    const playwright = await chromium.connectOverCDP(address);
    expect(await playwright.contexts()[0]?.pages()[0]?.title()).toBe('Hello Ada');
    await playwright.close();
    expect(await browser.cdpVersion()).toMatchObject({ webSocketDebuggerUrl: expect.stringMatching(/^ws:/) });
  },

  'a client of single pages finds, opens, shows and closes them': async ({ browser, covered }) => {
    const opened = await browser.cdp.open('data:text/html,<title>Opened</title>');
    const found = (await browser.cdp.list()).find(({ id }) => id === opened.id);
    covered.asked('GET', found?.webSocketDebuggerUrl ?? '');
    const socket = new WebSocket(found?.webSocketDebuggerUrl ?? '');
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const answered = new Promise((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(JSON.parse(data))),
    );
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: '6 * 7' } }));
    expect(await answered).toMatchObject({ id: 1, result: { result: { value: 42 } } });
    await browser.cdp.activate(opened.id);
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    await browser.cdp.close(opened.id);
    await closed;
    const { domains } = await browser.cdp.protocol();
    expect(domains.map(({ domain }) => domain)).toContain('Page');
  },

  'a person gets an address, and is asked to come': async ({ browser, covered }) => {
    const { url, socketUrl = '' } = await browser.live({ mode: 'view', ttlSeconds: 60 });
    expect(url).toContain(`/live/${browser.id}#`);
    covered.asked('GET', socketUrl);
    const socket = new WebSocket(socketUrl);
    const first = await new Promise((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(data)),
    );
    expect(JSON.parse(String(first))).toMatchObject({ type: 'welcome', mode: 'view' });
    socket.close();
    const [tab] = (await browser.tabs.list().page()).items;
    const bound = { tabId: tab?.tabId ?? '', frameAncestors: ['https://app.example.com'] };
    const framed = await browser.live(bound);
    expect(framed).toMatchObject(bound);
    expect(framed.url).toContain(`/live/${browser.id}?embed=`);
    expect(await browser.handoff.request({ message: 'Please look.' })).toMatchObject({ state: 'requested' });
    expect(await browser.handoff.get()).toMatchObject({ message: 'Please look.' });
    const finished = browser.handoff.finished();
    await browser.handoff.end();
    expect(await finished).toMatchObject({ state: 'scripts' });
  },

  'a web page uses the SDK itself, without Node': async ({ server }) => {
    await using page = await openWebPage(server.api.url);
    // as text, so that no tool here changes it before the page has it
    const inThePage = `async (apiKey) => {
      const { Browserd, BrowserdError } = await import('/sdk/sdk.ts');
      const client = new Browserd({ baseUrl: '', apiKey });
      const browser = await client.browsers.create({ name: 'from a page' });
      const following = browser.events.follow({ type: ['script.completed'], lastEventId: 0 });
      const event = following.next();
      const sum = await browser.execute(({ args }) => args + 1, 1);
      const { value: { type } } = await event;
      await following.return();
      const file = await browser.files.upload(new File(['abc'], 'a.txt'));
      const text = await (await browser.files.content(file.id)).text();
      const { status } = await browser.close();
      const error = await client.browsers.get('browser_none').catch((error) => error);
      return [client.baseUrl === location.origin, sum, type, text, status, error instanceof BrowserdError];
    }`;
    const seen = await page.evaluate(`(${inThePage})(${JSON.stringify(server.api.key)})`);
    expect(seen).toEqual([true, 2, 'script.completed', 'abc', 'closed', true]);
  },
};
