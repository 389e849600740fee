/** Going to pages, back and forth, and what a client is told when that fails. */
import { type Checks, failureOf } from '../check.ts';

export const navigation: Checks = {
  'a page is opened': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/plain`);
    return [response?.status(), response?.statusText(), response?.ok(), page.url(), await page.title()];
  },
  'an error page is opened': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/status?code=503`);
    return [response?.status(), response?.statusText(), response?.ok(), await page.title()];
  },
  'an answer without content leaves the page': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return [await failureOf(page.goto(`${site.origin}/nothing`)), page.url()];
  },
  'redirects are followed and remembered': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/redirect?times=3&to=/plain`);
    const chain: string[] = [];
    for (let at = response?.request() ?? null; at; at = at.redirectedFrom()) chain.push(at.url());
    const first = response?.request().redirectedFrom()?.redirectedFrom()?.redirectedFrom();
    return [chain, (await first?.response())?.status(), page.url()];
  },
  'redirects without an end': async ({ page, site }) =>
    failureOf(page.goto(`${site.origin}/redirect?times=100`)),
  'a port on which nothing listens': async ({ page, site }) =>
    failureOf(page.goto(`http://127.0.0.1:${site.closedPort}/`)),
  'a name that does not exist': async ({ page }) => failureOf(page.goto('http://nothing.invalid/')),
  'a connection that is dropped': async ({ page, site }) => failureOf(page.goto(`${site.origin}/drop`)),
  'a port that is not safe': async ({ page }) => failureOf(page.goto('http://127.0.0.1:1/')),
  'TLS where none is spoken': async ({ page, site }) =>
    failureOf(page.goto(`https://127.0.0.1:${site.port}/`)),
  'a page after a failure': async ({ page, site }) => {
    await page.goto(`http://127.0.0.1:${site.closedPort}/`).catch(() => undefined);
    const failed = page.url();
    await page.goto(`${site.origin}/plain`);
    return [failed, await page.title()];
  },
  'a page that does not come in time': async ({ page, site }) =>
    failureOf(page.goto(`${site.origin}/never`, { timeout: 300 })),
  'a wrong address': async ({ page }) => failureOf(page.goto('not an address')),
  'an empty page, text in an address': async ({ page }) => {
    const blank = await page.goto('about:blank');
    await page.goto('data:text/html,<title>in the address</title>');
    return [blank, await page.title(), page.url()];
  },
  'within a page': async ({ page, site }) => {
    await page.goto(`${site.origin}/links`);
    const response = await page.goto(`${site.origin}/links#there`);
    return [response, page.url(), await page.evaluate('location.hash')];
  },
  'back and forth': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.goto(`${site.origin}/other`);
    await page.evaluate("history.pushState({}, '', '/pushed')");
    const seen = [page.url(), await page.evaluate('history.length')];
    await page.goBack();
    seen.push(page.url());
    seen.push((await page.goBack())?.status(), await page.title());
    seen.push((await page.goForward())?.status(), await page.title());
    return seen;
  },
  'before the first page': async ({ page }) => [
    await page.goForward(),
    await page.evaluate('history.length'),
  ],
  'once more': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate('window.mark = 1');
    const response = await page.reload();
    return [response?.status(), await page.evaluate('window.mark ?? null')];
  },
  'by a link': async ({ page, site }) => {
    await page.goto(`${site.origin}/links`);
    await Promise.all([page.waitForURL('**/other'), page.click('#same')]);
    return [await page.title(), await page.evaluate('document.referrer')];
  },
  'by a page itself': async ({ page, site }) => {
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.goto(`${site.origin}/moves`);
    await page.waitForURL('**/other?moved');
    await page.goto(`${site.origin}/refresh`);
    await page.waitForURL('**/other?refreshed');
    return visited;
  },
  'with a referrer': async ({ page, site }) => {
    await page.goto(`${site.origin}/echo`, { referer: `${site.origin}/from` });
    return (await page.evaluate('JSON.parse(document.body.innerText).headers.referer')) ?? null;
  },
  'the events of a load, in order': async ({ page, site }) => {
    const seen: string[] = [];
    page.on('request', (request) => seen.push(`request ${new URL(request.url()).pathname}`));
    page.on('domcontentloaded', () => seen.push('domcontentloaded'));
    page.on('load', () => seen.push('load'));
    page.on('framenavigated', () => seen.push('framenavigated'));
    await page.goto(`${site.origin}/plain`, { waitUntil: 'networkidle' });
    return seen;
  },
  'content that a client sets': async ({ page }) => {
    await page.setContent('<title>set</title><p>by the client</p>');
    return [await page.title(), await page.content(), page.url()];
  },
  'a page that asks before it is left': async ({ page, site }) => {
    await page.goto(`${site.origin}/guarded`);
    await page.click('h1');
    const asked = page.waitForEvent('dialog');
    const closed = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    await Promise.all([closed, dialog.dismiss()]);
    return [dialog.type(), dialog.message(), page.isClosed()];
  },
  'a file of the machine': async ({ page }) => failureOf(page.goto('file:///usr/share')),
  'a page of Chromium’s own': async ({ page }) => failureOf(page.goto('chrome://version')),
  'the source of a page': async ({ page, site }) => failureOf(page.goto(`view-source:${site.origin}/plain`)),
};
