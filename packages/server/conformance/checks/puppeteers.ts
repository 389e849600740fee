/** The same browser in the hands of Puppeteer. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dialog, HTTPRequest, Page, WebWorker } from 'puppeteer-core';
import { type Checks, failureOf, heard, pngSize } from '../check.ts';

export const puppeteers: Checks = {
  'Puppeteer knows the browser': async ({ puppeteer }) => {
    const { browser, page } = await puppeteer();
    return [
      await browser.version(),
      await browser.userAgent(),
      browser.connected,
      page.url(),
      page.viewport(),
    ];
  },
  'Puppeteer opens pages': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    const response = await page.goto(`${site.origin}/redirect?to=/plain`);
    const chain = response
      ?.request()
      .redirectChain()
      .map((request) => request.url());
    return [response?.status(), chain, await page.title(), response?.remoteAddress().ip ?? null];
  },
  'Puppeteer is told of failures': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    return [
      await failureOf(page.goto(`http://127.0.0.1:${site.closedPort}/`)),
      await failureOf(page.goto(`${site.origin}/drop`)),
    ];
  },
  'Puppeteer intercepts requests': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.setRequestInterception(true);
    page.on('request', (request: HTTPRequest) => {
      if (request.url().endsWith('/made')) void request.respond({ status: 201, body: 'by the client' });
      else if (request.url().endsWith('/stopped')) void request.abort('blockedbyclient');
      else void request.continue();
    });
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "Promise.all([fetch('/made').then(async (r) => [r.status, await r.text()]), fetch('/stopped').catch((error) => error.message)])",
    );
  },
  'Puppeteer answers questions': async ({ puppeteer }) => {
    const { page } = await puppeteer();
    page.on('dialog', (dialog: Dialog) => void dialog.accept('typed'));
    return page.evaluate("[confirm('a'), prompt('b')]");
  },
  'Puppeteer sees popups': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.goto(`${site.origin}/links`);
    const popup = heard<Page | null>((listener) => page.on('popup', listener));
    await page.evaluate("void open('/other')");
    const opened = await popup;
    await opened?.waitForFunction("document.title === 'other'");
    return [opened?.url(), await opened?.title()];
  },
  'Puppeteer types and clicks': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.goto(`${site.origin}/form`);
    await page.type('[name=who]', 'Ann');
    await page.select('select', 'L');
    await Promise.all([page.waitForNavigation(), page.click('button')]);
    return page.$eval('#query', ({ textContent }) => textContent);
  },
  'Puppeteer calls back': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.exposeFunction('plus', (a: number, b: number) => a + b);
    await page.evaluateOnNewDocument("window.fromInit = 'yes'");
    await page.goto(`${site.origin}/init`);
    return [await page.title(), await page.evaluate('plus(1, 2)')];
  },
  'Puppeteer reads workers': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    const worker = heard<WebWorker>((listener) => page.on('workercreated', listener));
    await page.goto(`${site.origin}/worker`);
    return (await worker).evaluate('self.answer');
  },
  'Puppeteer keeps cookies': async ({ puppeteer, site }) => {
    const { browser, page } = await puppeteer();
    await browser.setCookie({ name: 'own', value: '1', domain: '127.0.0.1' });
    await page.goto(`${site.origin}/plain`);
    return [
      await page.evaluate('document.cookie'),
      (await browser.cookies()).map(({ name, value }) => [name, value]),
    ];
  },
  'Puppeteer emulates': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.setViewport({ width: 500, height: 400, deviceScaleFactor: 2 });
    await page.setUserAgent({ userAgent: 'Own/3.0' });
    await page.emulateTimezone('Asia/Tokyo');
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "[innerWidth, devicePixelRatio, navigator.userAgent, Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(prefers-color-scheme: dark)').matches]",
    );
  },
  'Puppeteer goes without the network': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.goto(`${site.origin}/plain`);
    await page.setOfflineMode(true);
    const off = await page.evaluate("fetch('/chunked').catch((error) => error.message)");
    await page.setOfflineMode(false);
    return [off, await page.evaluate("fetch('/chunked').then((r) => r.text())")];
  },
  'Puppeteer takes pictures and PDFs': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.setViewport({ width: 320, height: 240 });
    await page.goto(`${site.origin}/tall`);
    const picture = Buffer.from(await page.screenshot());
    const whole = Buffer.from(await page.screenshot({ fullPage: true }));
    return [
      pngSize(picture),
      pngSize(whole),
      Buffer.from(await page.pdf())
        .subarray(0, 5)
        .toString(),
    ];
  },
  'Puppeteer measures': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.coverage.startJSCoverage();
    await page.goto(`${site.origin}/parts`);
    const coverage = await page.coverage.stopJSCoverage();
    return [
      Object.keys(await page.metrics()).sort(),
      coverage.map(({ url, ranges }) => [new URL(url).pathname, ranges]),
    ];
  },
  'Puppeteer reads roles': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.goto(`${site.origin}/roles`);
    const tree = await page.accessibility.snapshot();
    return JSON.parse(
      JSON.stringify(tree, (key, value: unknown) =>
        /^(elementHandle|loaderId|backendNodeId|id)$/.test(key) ? undefined : value,
      ),
    );
  },
  'Puppeteer has contexts of its own': async ({ puppeteer, site }) => {
    const { browser } = await puppeteer();
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(`${site.origin}/plain`);
    const title = await page.title();
    await context.close();
    return [title, browser.browserContexts().length];
  },
  'Puppeteer gives a password': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    await page.authenticate({ username: 'ann', password: 'secret' });
    return (await page.goto(`${site.origin}/auth`))?.status();
  },
  'Puppeteer knows windows': async ({ puppeteer }) => {
    const { browser, page } = await puppeteer();
    const windowId = await page.windowId();
    await browser.setWindowBounds(windowId, { width: 820, height: 620 });
    const { width, height, windowState } = await browser.getWindowBounds(windowId);
    return [width, height, windowState];
  },
  'Puppeteer sends a file by its path': async ({ puppeteer, site, folder }) => {
    const path = join(folder, 'mine.txt');
    await writeFile(path, 'from the client');
    const { page } = await puppeteer();
    await page.goto(`${site.origin}/form`);
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('#file')]);
    await chooser.accept([path]);
    await page.waitForFunction("document.querySelector('output').textContent");
    return page.$eval('output', ({ textContent }) => textContent);
  },
  'Puppeteer traces the whole browser': async ({ puppeteer, site }) => {
    const { page } = await puppeteer();
    const failure = await failureOf(page.tracing.start());
    await page.goto(`${site.origin}/plain`);
    return [failure, ((await page.tracing.stop().catch(() => undefined))?.length ?? 0) > 1000];
  },
};
