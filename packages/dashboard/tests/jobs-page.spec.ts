import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../../server/tests/support/site.ts';
import { signIn, startUser, type User } from './dashboard-client.ts';

let user: User;
let site: Site;
let page: Page;

const hostile = `<img src=x onerror="document.documentElement.dataset.hacked=1">`;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite({
    '/hostile': `<!doctype html><title>${hostile.replaceAll('<', '&lt;')}</title><main><h1>Hostile</h1><p>${hostile.replaceAll('<', '&lt;')}</p></main>`,
  });
  user = await startUser();
  page = user.page;
  await signIn(user);
});
afterAll(async () => {
  expect(user.troubles).toEqual([]);
  await user[Symbol.asyncDispose]();
  await site.close();
});

const dialog = () => page.getByRole('dialog');
const create = async (body: object): Promise<string> => {
  const headers = { 'idempotency-key': randomUUID() };
  return (await user.server.api.call('POST', '/v1/jobs', { body, headers })).body.id;
};

test('a batch is started, watched to its end, its results read, and it is deleted', async () => {
  await page.getByRole('navigation').getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByText('No jobs yet').waitFor();
  await page.getByRole('button', { name: 'New job' }).click();
  expect(await dialog().getByRole('button', { name: 'Start job' }).isDisabled()).toBe(true);
  await dialog().getByRole('button', { name: 'A list of pages' }).click();
  await dialog().getByLabel('Addresses').fill(`${site.origin}/hostile\nnowhere\n`);
  await dialog().getByText('More options').click();
  await dialog()
    .getByLabel('Parameters for every page')
    .fill(`{ "policy": ${JSON.stringify(policy)}`);
  await dialog().getByText('This must be a JSON object.').waitFor();
  await dialog().getByLabel('Parameters for every page').fill(JSON.stringify({ policy }));
  await dialog().getByRole('button', { name: 'Start job' }).click();
  await dialog()
    .getByText(/entry 2/)
    .waitFor();
  await dialog().getByLabel('Addresses').fill(`${site.origin}/hostile\nhttp://10.0.0.1/\n`);
  await dialog().getByRole('button', { name: 'Start job' }).click();

  await page.getByRole('heading', { name: 'Batch of 2 pages' }).waitFor();
  await page.getByText('completed', { exact: true }).waitFor();
  const results = page.getByRole('table', { name: 'Results' });
  await results.getByRole('button', { name: `Show ${site.origin}/hostile` }).click();
  await results.locator('pre').getByText(hostile).waitFor();
  await page.getByRole('group', { name: 'Results' }).getByRole('button', { name: 'Failed' }).click();
  await results.getByRole('button', { name: `Show ${site.origin}/hostile` }).waitFor({ state: 'detached' });
  await results.getByRole('button', { name: 'Show http://10.0.0.1/' }).click();
  await results.locator('code').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.hacked)).toBeUndefined();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog().getByRole('button', { name: 'Delete job' }).click();
  await page.getByText('No jobs yet').waitFor();
});

test('a job under way shows how far it is, and is cancelled after a question', async () => {
  const items = ['/', '/gate'].map((path) => ({ url: site.origin + path }));
  const id = await create({
    kind: 'batch',
    name: 'slow',
    items,
    options: { policy, timeoutMs: 120_000 },
    concurrency: 1,
  });
  const row = page.getByRole('row').filter({ hasText: 'slow' });
  await row.getByText('1 of 2').waitFor();
  await row.getByText('running').waitFor();
  const bar = row.getByRole('progressbar', { name: 'Progress of slow' });
  expect(await bar.evaluate((element: HTMLProgressElement) => [element.value, element.max])).toEqual([1, 2]);
  await row.getByRole('link', { name: 'slow' }).click();
  await page.getByRole('button', { name: 'Cancel job' }).click();
  await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel job' }).click();
  await dialog().getByRole('button', { name: 'Cancel job' }).click();
  await page.getByText('cancelled', { exact: true }).waitFor();
  expect((await user.server.api.call('GET', `/v1/jobs/${id}`)).body.status).toBe('cancelled');
  await page.goto(`${user.server.api.url}/app/jobs?show=failed`);
  await page.getByText('No failed jobs').waitFor();
  await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Cancelled' }).click();
  await row.waitFor();
});

test('pictures of pages are shown beside them, and saved', async () => {
  const id = await create({
    kind: 'batch',
    action: 'screenshot',
    name: 'pictures',
    items: [{ html: '<h1>One</h1>' }],
  });
  await page.goto(`${user.server.api.url}/app/jobs/${id}`);
  await page.getByText('completed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show item 1' }).click();
  const picture = page.getByRole('img', { name: /^Screenshot / });
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(100);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Save / }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.png$/);
});

test('a job that is not there says so', async () => {
  await page.goto(`${user.server.api.url}/app/jobs/job_none`);
  await page.getByText('Job not found').waitFor();
});
