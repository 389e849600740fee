/** What people do with Puppeteer at a browser that runs elsewhere. */
import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';

const { CDP_WS, SIGNED, KEY, SHOP } = process.env;

const browser = await puppeteer.connect({
  browserWSEndpoint: CDP_WS,
  headers: { Authorization: `Bearer ${KEY}` },
  defaultViewport: null,
});
const [page] = await browser.pages();
await page.goto(SHOP);
await page.locator('input[name=name]').fill('Ada');
await page.locator('::-p-text(Greet)').click();
await page.waitForFunction(() => document.title === 'Hello Ada');

page.once('dialog', (dialog) => void dialog.accept());
await page.locator('::-p-text(Ask)').click();
await page.waitForFunction(() => document.title === 'Yes');

const [target] = await Promise.all([
  browser.waitForTarget((each) => each.url().endsWith('/more')),
  page.locator('::-p-text(More)').click(),
]);
const popup = await target.page();
await popup.waitForFunction(() => document.title === 'More');
await popup.close();

await page.setRequestInterception(true);
const answerMore = (request) =>
  request.url().endsWith('/more')
    ? request.respond({ contentType: 'text/html', body: '<title>Instead</title>' })
    : request.continue();
page.on('request', answerMore);
await page.goto(`${SHOP}/more`);
assert.equal(await page.title(), 'Instead');
page.off('request', answerMore);
await page.setRequestInterception(false);

await page.goto(SHOP);
const frame = await (await page.waitForSelector('iframe')).contentFrame();
await frame.locator('button').click();
await frame.waitForFunction(() => document.querySelector('button').textContent === 'Taken');
assert((await page.screenshot({ fullPage: true })).length > 1000);
assert((await page.pdf()).length > 1000);
const tree = await page.accessibility.snapshot();
assert.equal(tree.name, 'Shop');

await page.coverage.startJSCoverage();
await page.reload();
await page.coverage.stopJSCoverage();

const apart = await browser.createBrowserContext();
const other = await apart.newPage();
await other.setViewport({ width: 400, height: 300 });
await other.goto(SHOP);
assert.equal(await other.evaluate(() => innerWidth), 400);
await apart.close();

const second = await puppeteer.connect({ browserWSEndpoint: SIGNED });
assert((await second.pages()).length > 0);
await second.disconnect();
await browser.close();
console.log('done');
