import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../server/src/kit/id.ts';
import type { BrowserRecord, Store } from '../../server/src/store/records.ts';
import { openStore } from '../../server/src/store/store.ts';
import { signIn, startUser, type User } from './dashboard-client.ts';

let user: User;
let page: Page;
let store: Store;
let sample: BrowserRecord;

beforeAll(async () => {
  user = await startUser();
  page = user.page;
  store = await openStore({ databaseUrl: null, dataDir: user.server.dataDir });
  const { body } = await user.server.api.create({ name: 'sample' });
  await user.server.api.stop(body.id);
  sample = (await store.browsers.get(body.id)) as BrowserRecord;
  // hundreds of records come faster from the store than from Chromium; the list does not know the difference
  for (let n = 0; n < 240; n++) await add(`job ${n}`, n);
  await signIn(user);
});
afterAll(async () => {
  await store.close();
  await user[Symbol.asyncDispose]();
});

async function add(name: string, n: number): Promise<void> {
  const createdAt = sample.createdAt - (n + 1) * 1000;
  const metadata = { team: n % 2 ? 'red' : 'blue', run: String(n) };
  await store.browsers.insert({ ...sample, id: newId('browser'), name, metadata, createdAt }, []);
}

const open = async (query: string): Promise<void> => {
  await page.goto(`${user.server.api.url}/app/browsers?${query}`);
  await rows().first().waitFor();
};
const rows = (): Locator => page.getByRole('table', { name: 'Browsers' }).locator('tbody tr');
const names = (): Promise<string[]> => page.locator('.row-name').allTextContents();
const dialog = () => page.getByRole('dialog');

test('a table holds hundreds of browsers, says how many there are, and sorts them', async () => {
  await page.getByRole('radio', { name: 'Table' }).check();
  await expect.poll(() => rows().count()).toBe(241);
  await page.getByText('241 browsers', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('group', { name: 'Status' }).innerText()).toMatch(/Stopped\s+241\s/);
  const first = (from: number, to: number) => async () => (await names()).slice(from, to);
  await expect.poll(first(0, 3)).toEqual(['sample', 'job 0', 'job 1']);
  await page.getByRole('button', { name: 'Name' }).click();
  // numbers in names count as numbers
  await expect.poll(first(8, 12)).toEqual(['job 8', 'job 9', 'job 10', 'job 11']);
  const head = page.getByRole('columnheader', { name: 'Name' });
  expect(await head.getAttribute('aria-sort')).toBe('ascending');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect.poll(first(0, 1)).toEqual(['sample']);
  expect(await head.getAttribute('aria-sort')).toBe('descending');
  expect(page.url()).toContain('sort=-name');
  // the choice is remembered for the next visit
  await page.goto(`${user.server.api.url}/app/browsers`);
  await rows().first().waitFor();
});

test('the service searches names, metadata and ids, so that what is not loaded is found too', async () => {
  await page.goto(`${user.server.api.url}/app/browsers?as=cards`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).search));
  await page.getByRole('searchbox').fill('RED run=239');
  await expect.poll(() => page.locator('.cards > li').count()).toBe(1);
  await page.getByText('job 239').waitFor();
  expect(asked.some((search) => new URLSearchParams(search).get('search') === 'RED run=239')).toBe(true);
  await page.getByRole('searchbox').fill('blue run=239');
  await page.getByText('No matching browsers').waitFor();
  await page.getByRole('searchbox').fill(sample.id.slice(-9));
  await page.getByText('sample').first().waitFor();
});

test('many are resumed, stopped and closed at once, and what fails is told by name', async () => {
  await open('as=table&search=sample');
  await page.getByRole('checkbox', { name: 'Select sample' }).check();
  const bar = page.getByRole('region', { name: 'Selected browsers' });
  expect(await bar.getByRole('button', { name: 'Stop 0' }).isDisabled()).toBe(true);
  await bar.getByRole('button', { name: 'Resume 1' }).click();
  await dialog().getByRole('button', { name: 'Resume 1 browser' }).click();
  await page.getByText('1 browser resumed.').waitFor();
  expect((await user.server.api.get(sample.id)).body.status).toBe('ready');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await bar.getByRole('button', { name: 'Stop 1' }).click();
  await dialog().getByRole('button', { name: 'Stop 1 browser' }).click();
  await page.getByText('1 browser stopped.').waitFor();

  await open('as=table&search=job team%3Dred&sort=name');
  await expect.poll(() => rows().count()).toBe(120);
  for (const name of ['job 1', 'job 3', 'job 5'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('checkbox', { name: 'Select job 239' }).uncheck();
  const refusal = {
    code: 'NOT_NOW',
    message: 'Not now.',
    details: {},
    category: 'conflict',
    nextStep: 'wait',
  };
  await page.route(
    '**/v1/browsers/browser_*',
    (route) => route.fulfill({ status: 409, json: { error: refusal } }),
    {
      times: 1,
    },
  );
  await bar.getByRole('button', { name: 'Close 119' }).click();
  await dialog().getByRole('button', { name: 'Close 119 browsers' }).click();
  await dialog().getByText('118 of 119 browsers closed, 1 failed').waitFor();
  await dialog().getByRole('list', { name: 'Failed' }).getByText('Not now.').waitFor();
  await dialog().getByRole('button', { name: 'Done' }).click();
  await page.unrouteAll();
  await expect.poll(() => rows().count()).toBe(2);
  const { body } = await user.server.api.call('GET', '/v1/browsers/counts');
  expect(body.status).toMatchObject({ closed: 118, stopped: 123 });
});

test('a browser that asks for a person is first in every list and in the title, and is taken over from there', async () => {
  const { body } = await user.server.api.create({ name: 'asking' });
  await open('as=table&show=closed');
  expect(await page.title()).toBe('Browsers · browserd');
  await user.server.api.call('POST', `/v1/browsers/${body.id}/handoff`, {
    body: { message: 'Please <b>sign in</b>.' },
  });
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await waiting.getByText('Please <b>sign in</b>.').waitFor();
  await expect.poll(() => page.title()).toBe('(1 waiting) Browsers · browserd');
  await page.getByRole('link', { name: '1 waiting for you' }).waitFor();
  await page.getByRole('radio', { name: 'Ready' }).check();
  await rows().getByText('needs you').waitFor();
  const button = waiting.getByRole('button', { name: 'Take over asking' });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await button.click();
  await page.waitForURL(/\/app\/browsers\/browser_/);
  const handoff = async () =>
    (await user.server.api.call('GET', `/v1/browsers/${body.id}/handoff`)).body.state;
  await expect.poll(handoff, { timeout: 90_000 }).toBe('person');
  await page.getByText('A person is in control. Scripts are paused.').waitFor();
  await expect.poll(() => page.title()).toBe('asking · browserd');
  await page.getByRole('button', { name: 'Return control to scripts' }).click();
  await expect.poll(handoff).toBe('scripts');
  // the wish was for that one time: loading the page anew takes nothing
  await page.reload();
  await page.frameLocator('iframe').locator('#screen').waitFor();
  await page.getByText('Scripts are in control.').waitFor();
  expect(await handoff()).toBe('scripts');
  // and the page of the browser has the same button while it waits
  await user.server.api.call('POST', `/v1/browsers/${body.id}/handoff`, { body: {} });
  await page.getByRole('button', { name: 'Take over', exact: true }).click();
  await expect.poll(handoff).toBe('person');
  expect(user.troubles).toEqual([]);
  await user.server.api.remove(body.id);
});
