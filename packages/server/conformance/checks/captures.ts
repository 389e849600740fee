/** Pictures, PDFs, snapshots and traces. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checks, failureOf, pngSize } from '../check.ts';

/** Small enough to compare by its pixels. */
const flag =
  '<style>body { margin: 0 } div { width: 40px; height: 20px }</style><div id="red" style="background: #f00"></div><div style="background: #00f"></div>';

export const captures: Checks = {
  'a picture of a page of a set size': async ({ page, site }) => {
    await page.setViewportSize({ width: 600, height: 400 });
    await page.goto(`${site.origin}/plain`);
    return pngSize(await page.screenshot());
  },
  'a picture of a whole page': async ({ page, site }) => {
    await page.setViewportSize({ width: 300, height: 200 });
    await page.goto(`${site.origin}/tall`);
    const picture = pngSize(await page.screenshot({ fullPage: true }));
    return [picture, await page.evaluate('[innerWidth, innerHeight]')];
  },
  'a picture of a part': async ({ page }) => {
    await page.setContent(flag);
    const clip = { x: 10, y: 10, width: 20, height: 20 };
    return [pngSize(await page.screenshot({ clip })), (await page.screenshot({ clip })).toString('base64')];
  },
  'a picture of an element': async ({ page }) => {
    await page.setContent(flag);
    return (await page.locator('#red').screenshot()).toString('base64');
  },
  'a picture in another format': async ({ page }) => {
    await page.setContent(flag);
    const picture = await page.screenshot({
      type: 'jpeg',
      quality: 50,
      clip: { x: 0, y: 0, width: 40, height: 40 },
    });
    return [picture.subarray(0, 3).toString('hex'), picture.length];
  },
  'a picture without a background': async ({ page }) => {
    await page.setContent('<style>body { margin: 0; background: transparent }</style>');
    const clip = { x: 0, y: 0, width: 2, height: 2 };
    return (await page.screenshot({ omitBackground: true, clip })).toString('base64');
  },
  'a picture with masks and without motion': async ({ page }) => {
    await page.setContent(flag);
    const clip = { x: 0, y: 0, width: 40, height: 40 };
    return (await page.screenshot({ mask: [page.locator('#red')], animations: 'disabled', clip })).toString(
      'base64',
    );
  },
  'a PDF': async ({ page, site }) => {
    await page.goto(`${site.origin}/tall`);
    const pdf = (await page.pdf({ format: 'A4', landscape: true, printBackground: true })).toString('latin1');
    return [pdf.slice(0, 5), /\/MediaBox \[[^\]]+\]/.exec(pdf)?.[0], pdf.match(/\/Type \/Page\b/g)?.length];
  },
  'a PDF as a stream': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/plain`);
    const cdp = await session();
    const { stream = '' } = await cdp.send('Page.printToPDF', { transferMode: 'ReturnAsStream' });
    const { data, base64Encoded } = await cdp.send('IO.read', { handle: stream, size: 100 });
    await cdp.send('IO.close', { handle: stream });
    return Buffer.from(data, base64Encoded ? 'base64' : 'utf8')
      .subarray(0, 5)
      .toString();
  },
  'a page as one file': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/plain`);
    const { data } = await (await session()).send('Page.captureSnapshot', { format: 'mhtml' });
    return [data.includes('Snapshot-Content-Location'), data.includes('Some text')];
  },
  'the roles on a page': async ({ page, site }) => {
    await page.goto(`${site.origin}/roles`);
    return page.locator('body').ariaSnapshot();
  },
  'the tree of roles': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/roles`);
    const { nodes } = await (await session()).send('Accessibility.getFullAXTree');
    return nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => [role?.value, name?.value]);
  },
  'elements by their role': async ({ page, site }) => {
    await page.goto(`${site.origin}/roles`);
    return [
      await page.getByRole('heading', { name: 'Title' }).count(),
      await page.getByRole('button', { name: 'Off', disabled: true }).count(),
      await page.getByLabel('Name').inputValue(),
      await page.getByRole('checkbox', { checked: true }).count(),
    ];
  },
  'the layout of a page': async ({ page, site, session }) => {
    await page.setViewportSize({ width: 300, height: 200 });
    await page.goto(`${site.origin}/tall`);
    const { cssLayoutViewport, cssContentSize } = await (await session()).send('Page.getLayoutMetrics');
    return [cssLayoutViewport, cssContentSize];
  },
  'a snapshot of the tree of elements': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/plain`);
    const { documents, strings } = await (await session()).send('DOMSnapshot.captureSnapshot', {
      computedStyles: ['color'],
    });
    return [documents.length, documents[0]?.nodes.nodeName?.length, strings.includes('Some text')];
  },
  'pictures as they change': async ({ page, session }) => {
    await page.setContent(flag);
    const cdp = await session();
    const frame = new Promise<{ data: string; sessionId: number }>((resolve) =>
      cdp.once('Page.screencastFrame', resolve),
    );
    await cdp.send('Page.startScreencast', { format: 'jpeg', maxWidth: 200, maxHeight: 200 });
    const { data, sessionId } = await frame;
    await cdp.send('Page.screencastFrameAck', { sessionId });
    await cdp.send('Page.stopScreencast');
    return Buffer.from(data, 'base64').subarray(0, 3).toString('hex');
  },
  'a trace of what a client does': async ({ page, context, site, folder }) => {
    const path = join(folder, 'trace.zip');
    await context.tracing.start({ screenshots: true, snapshots: true });
    await page.goto(`${site.origin}/plain`);
    await page.click('h1');
    await context.tracing.stop({ path });
    return (await stat(path)).size > 1000;
  },
  'a trace of the whole browser': async ({ browser, page, site }) => {
    const failure = await failureOf(browser.startTracing(page));
    await page.goto(`${site.origin}/plain`);
    return [failure, (await browser.stopTracing().catch(() => Buffer.alloc(0))).length > 1000];
  },
};
