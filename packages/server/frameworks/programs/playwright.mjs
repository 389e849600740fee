/** What people do with Playwright at a browser that runs elsewhere; the same for each of its versions. */
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const { CDP_HTTP, SIGNED, KEY, SHOP } = process.env;

const browser = await chromium.connectOverCDP(CDP_HTTP, { headers: { Authorization: `Bearer ${KEY}` } });
const [context] = browser.contexts();
const page = context.pages()[0] ?? (await context.newPage());
await page.goto(SHOP);
await page.getByLabel('Name').fill('Ada');
await page.getByRole('button', { name: 'Greet' }).click();
assert.equal(await page.title(), 'Hello Ada');

page.once('dialog', (dialog) => void dialog.accept());
await page.getByRole('button', { name: 'Ask' }).click();
assert.equal(await page.title(), 'Yes');

const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByText('More').click()]);
await popup.waitForLoadState();
assert.equal(await popup.title(), 'More');
await popup.close();

const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Prices').click()]);
assert.equal(download.suggestedFilename(), 'prices.csv');

const picture = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('png') };
await page.getByLabel('Picture').setInputFiles(picture);
assert.equal(await page.title(), 'picture.png');

const offer = page.frameLocator('iframe').getByRole('button');
await offer.click();
assert.equal(await offer.textContent(), 'Taken');

await page.route('**/more', (route) =>
  route.fulfill({ contentType: 'text/html', body: '<title>Instead</title>' }),
);
await page.goto(`${SHOP}/more`);
assert.equal(await page.title(), 'Instead');
await page.unroute('**/more');

assert((await page.screenshot({ fullPage: true })).length > 1000);
await context.tracing.start({ snapshots: true });
await page.goto(SHOP);
await context.tracing.stop();

const apart = await browser.newContext({ viewport: { width: 400, height: 300 }, locale: 'de-DE' });
const other = await apart.newPage();
await other.goto(SHOP);
assert.deepEqual(await other.evaluate(() => [innerWidth, navigator.language]), [400, 'de-DE']);
await apart.addCookies([{ name: 'a', value: 'b', url: SHOP }]);
assert.deepEqual((await context.cookies(SHOP)).length, 0);
await apart.close();

const second = await chromium.connectOverCDP(SIGNED);
assert.equal(await second.contexts()[0].pages()[0].title(), 'Shop');
await second.close();
await browser.close();
console.log('done');
