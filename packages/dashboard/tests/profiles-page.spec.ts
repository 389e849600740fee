import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startUser, type User } from './dashboard-client.ts';

let user: User;
let page: Page;
beforeAll(async () => {
  user = await startUser();
  page = user.page;
  await signIn(user);
});
afterAll(async () => {
  expect(user.troubles).toEqual([]);
  await user[Symbol.asyncDispose]();
});

test('a profile is made, opened for a person to sign in, shows which browser holds it and its versions, and is deleted', async () => {
  const { api } = user.server;
  await page.getByRole('navigation').getByRole('link', { name: 'Profiles', exact: true }).click();
  await page.getByText('No profiles').waitFor();
  await page.getByRole('button', { name: 'New profile' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('shop');
  await dialog.getByLabel('Page to check').fill('nowhere');
  await dialog.getByRole('button', { name: 'Create profile' }).click();
  await dialog.getByText('Invalid URL').waitFor();
  await dialog.getByLabel('Page to check').fill('https://example.com/account');
  await dialog.getByRole('button', { name: 'Create profile' }).click();

  await page.getByRole('heading', { name: 'Sign in to shop' }).waitFor();
  await dialog.getByLabel('Where to sign in').fill('');
  await dialog.getByRole('button', { name: 'Open a browser' }).click();
  const link = dialog.getByRole('link', { name: 'Open the live view' });
  const address = String(await link.getAttribute('href'));
  const browserId = /browser_\w+/.exec(address)?.[0] ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: 'shop' });
  const holder = row.getByRole('link', { name: 'a browser' });
  expect(await holder.getAttribute('href')).toBe(`/app/browsers/${browserId}`);
  expect(await row.getByRole('button', { name: 'Sign in now' }).isDisabled()).toBe(true);

  await api.remove(browserId);
  await holder.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Versions of shop' }).click();
  const versions = page.getByRole('table', { name: 'Versions of shop' });
  await versions.getByText('a browser').waitFor();
  await page.getByRole('button', { name: 'Delete shop' }).click();
  await dialog.getByRole('button', { name: 'Delete profile' }).click();
  await page.getByText('No profiles').waitFor();
});
