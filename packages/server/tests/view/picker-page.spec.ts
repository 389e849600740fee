import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { liveCapability } from '../support/live-client.ts';
import { seen } from '../support/live-hand.ts';
import { corners, pickerPages } from '../support/picker-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** The viewer itself, in the web browser of a person. */
let server: TestServer;
let site: Site;
let web: Browser;
let page: Page;
let id: string;
const troubles: string[] = [];

beforeAll(async () => {
  server = await startServer();
  const pages: Record<string, string> = {};
  site = await startSite(pages);
  Object.assign(pages, pickerPages(site.port));
  const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
  web = await chromium.launch({ executablePath: (found.shell ?? found.full)?.path });
  const policy = { privateAccess: { localhost: true } };
  id = (await server.api.create({ policy, startUrl: `${site.origin}/controls` })).body.id;
  page = await web.newPage({ viewport: { width: 1300, height: 900 } });
  page.on('pageerror', (error) => troubles.push(error.message));
});
afterAll(async () => {
  await web.close();
  await site.close();
  await server[Symbol.asyncDispose]();
  expect(troubles).toEqual([]);
});
beforeEach(async () => {
  await run(`await page.goto('${site.origin}/controls')`);
  await page.goto('about:blank');
  await page.goto((await liveCapability(server.api, id, 'control')).url);
  await page.getByRole('button', { name: 'Controls' }).first().waitFor();
});

const run = async (code: string) => {
  const { body } = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
  expect(body.error).toBeUndefined();
  return body.result;
};
const textIn = (name: string): Promise<string> => run(`return page.inputValue('#${name}')`);
/** In the web browser: the place of a control in the picture, and one pixel of the page there. */
async function placeOf(name: keyof typeof corners, dx = 100, dy = 15) {
  const box = (await page.locator('#screen').boundingBox()) ?? { x: 0, y: 0, width: 0 };
  const scale = box.width / 1280;
  return { x: box.x + (corners[name][0] + dx) * scale, y: box.y + (corners[name][1] + dy) * scale, scale };
}
const clickOn = async (name: keyof typeof corners, dx?: number): Promise<void> => {
  const { x, y } = await placeOf(name, dx);
  await page.mouse.click(x, y);
};
const picker = () => page.locator('#picker');

test('a list is drawn below its select, and chosen from with mouse or keys', async () => {
  await clickOn('fruit');
  await page.getByRole('option', { name: 'Lemon' }).waitFor();
  const [shown, { x, y, scale }] = [await picker().boundingBox(), await placeOf('fruit', 0, 30)];
  expect(Math.abs((shown?.x ?? 0) - x)).toBeLessThan(2);
  expect(Math.abs((shown?.y ?? 0) - y)).toBeLessThan(2);
  expect(shown?.width).toBeGreaterThanOrEqual(200 * scale - 1);
  await page.getByRole('group', { name: 'Sour' }).getByRole('option', { name: 'Lemon' }).click();
  await picker().waitFor({ state: 'hidden' });
  await seen(async () => expect(await textIn('fruit')).toBe('l'));

  // the keyboard is the page's again
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('option', { name: 'Lemon', selected: true }).waitFor();
  await page.keyboard.type('ch');
  await page.keyboard.press('Enter');
  await picker().waitFor({ state: 'hidden' });
  await seen(async () => expect(await textIn('fruit')).toBe('c'));
  await clickOn('fruit');
  await picker().waitFor();
  await page.keyboard.press('Escape');
  await picker().waitFor({ state: 'hidden' });
  expect(await textIn('fruit')).toBe('c');
});

test('a long list is searched, and several options are chosen with a button', async () => {
  await run('await page.evaluate(() => fillMany())');
  await clickOn('many');
  await page.getByRole('combobox', { name: 'Search' }).fill('4321');
  await page.keyboard.press('Enter');
  await seen(async () => expect(await textIn('many')).toBe('v4321'));
  await clickOn('several');
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('option', { name: 'red' }).click();
  await page.getByRole('option', { name: 'blue' }).click();
  await picker().getByRole('button', { name: 'OK' }).click();
  const chosen = () =>
    run("return page.$eval('#several', (it) => [...it.selectedOptions].map((o) => o.text))");
  await seen(async () => expect(await chosen()).toEqual(expect.arrayContaining(['blue'])));
});

test('a date and a colour are entered in fields of the person’s own browser', async () => {
  await clickOn('date', 188);
  const field = picker().locator('input[type=date]');
  expect(await field.inputValue()).toBe('2026-02-03');
  await field.fill('2026-07-14');
  await picker().getByRole('button', { name: 'OK' }).click();
  await seen(async () => expect(await textIn('date')).toBe('2026-07-14'));
  await clickOn('color');
  await picker().locator('input[type=color]').fill('#ff8800');
  await picker().getByRole('button', { name: 'OK' }).click();
  await seen(async () => expect(await textIn('color')).toBe('#ff8800'));
});

test('a suggestion is taken with keys while the rest is typed into the page', async () => {
  await clickOn('city');
  await page.getByRole('option', { name: 'Rome' }).waitFor();
  await page.keyboard.type('osa');
  await page.getByRole('option', { name: 'Oslo' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await seen(async () => expect(await textIn('city')).toBe('Osaka'));
});

test('a file is picked on the person’s machine', async () => {
  await clickOn('file');
  const field = picker().getByLabel('File', { exact: true });
  expect(await field.getAttribute('accept')).toBe('.txt,image/*');
  await field.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') });
  await picker().waitFor({ state: 'hidden' });
  const text = () => run("return page.$eval('#file', (it) => it.files[0]?.text())");
  await seen(async () => expect(await text()).toBe('A note'));
});

test('a small screen shows the list at its lower edge', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await clickOn('fruit');
  await page.getByRole('option', { name: 'Lemon' }).waitFor();
  const shown = await picker().boundingBox();
  expect([shown?.x, shown?.width, (shown?.y ?? 0) + (shown?.height ?? 0)]).toEqual([0, 390, 800]);
  await picker().getByRole('button', { name: 'Cancel' }).click();
  await picker().waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1300, height: 900 });
});
