import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../../server/tests/support/site.ts';
import { newWindow, startUser, type User } from './dashboard-client.ts';

let user: User;
let site: Site;
/** Signed in as an admin, for all tests that need no window of their own. */
let page: Page;
/** Of one test alone; open ones go on fetching and drawing. */
const windows = new Set<Page>();

const hostile = `<img src=x onerror="document.documentElement.dataset.hacked=1">`;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite({
    '/hostile': `<!doctype html><title>${hostile.replaceAll('<', '&lt;')}</title><body style="background:teal">`,
    '/hook': 'taken',
  });
  user = await startUser({ BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost' });
  page = await enter();
  windows.delete(page);
});
afterEach(async () => {
  for (const own of windows) await own.context().close();
  windows.clear();
  expect(user.troubles.splice(0)).toEqual([]);
});
afterAll(async () => {
  await user[Symbol.asyncDispose]();
  await site.close();
});

const open = async (path = '/'): Promise<Page> => {
  const fresh = await newWindow(user);
  windows.add(fresh);
  await fresh.goto(`${user.server.api.url}${path}`);
  return fresh;
};
const signIn = async (where: Page, key = user.server.api.key): Promise<void> => {
  await where.getByLabel('API key').fill(key);
  await where.getByRole('button', { name: 'Sign in' }).click();
};
const enter = async (path?: string, key?: string): Promise<Page> => {
  const fresh = await open(path);
  await signIn(fresh, key);
  await fresh.getByRole('navigation').waitFor();
  return fresh;
};
const go = (place: string, where = page): Promise<void> =>
  where.getByRole('navigation').getByRole('link', { name: place, exact: true }).click();
const card = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const dialog = (where = page) => where.getByRole('dialog');
const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);
const newKey = async (role: 'admin' | 'member', name = role) =>
  (await user.server.api.call('POST', '/v1/keys', { body: { name, role } })).body as {
    id: string;
    key: string;
  };

describe('signing in', () => {
  test('a wrong key is refused with the reason, the right one is kept for this tab alone', async () => {
    const own = await open('/app/health');
    await signIn(own, 'bd_wrong');
    await own.getByText('This key isn’t valid').waitFor();
    expect(await own.evaluate('Object.keys(sessionStorage).length')).toBe(0);
    await signIn(own, user.server.api.key);
    await own.getByRole('heading', { name: 'Health' }).waitFor();
    expect(await own.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain('bd_');
    await own.reload();
    await own.getByRole('heading', { name: 'Health' }).waitFor();
  });

  test('a key that is revoked meanwhile leads back to the sign-in page, with the reason', async () => {
    const { id, key } = await newKey('member');
    const own = await enter('/app/browsers', key);
    await own.getByRole('button', { name: 'New browser' }).waitFor();
    await user.server.api.call('DELETE', `/v1/keys/${id}`);
    // the next call is refused: the one of this click, or one that the page makes by itself before it
    const told = own.getByText('Your key no longer works');
    await own.getByRole('radio', { name: 'Closed' }).or(told).click();
    await told.waitFor();
  });

  test('another tab has the session too, and signing out ends it in both', async () => {
    const own = await enter();
    const other = await own.context().newPage();
    await other.goto(`${user.server.api.url}/app/keys`);
    await other.getByRole('heading', { name: 'API keys' }).waitFor();
    await own.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('API key').waitFor();
    expect(await other.evaluate('Object.keys(sessionStorage).length')).toBe(0);
  });
});

describe('the browsers', () => {
  test('show themselves in a picture, and a hostile page is no more than text', async () => {
    const startUrl = `${site.origin}/hostile`;
    const { body } = await user.server.api.create({
      policy,
      startUrl,
      name: hostile,
      metadata: { by: hostile },
    });
    await go('Browsers');
    const { lastActionAt } = body;
    const shown = card('hostile');
    await shown.locator('img[src^=blob]').waitFor();
    await expect
      .poll(() => shown.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(640);
    expect(await shown.getByText(hostile, { exact: true }).count()).toBe(2);
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.dataset.hacked')).toBeUndefined();
    expect((await user.server.api.get(body.id)).body.lastActionAt).toBe(lastActionAt);
    await user.server.api.remove(body.id);
    await page.getByText('No browsers yet').waitFor();
  });

  test('come and go as it happens, and are stopped, resumed and closed by hand', async () => {
    await page.getByText('No browsers yet').waitFor();
    await user.server.api.create({ name: 'by hand', metadata: { team: 'red' } });
    await page.getByRole('button', { name: 'Stop by hand' }).click();
    await dialog().getByRole('button', { name: 'Stop browser' }).click();
    await page.getByRole('button', { name: 'Resume by hand' }).click();
    await page.getByRole('button', { name: 'Stop by hand' }).waitFor();
    await page.getByRole('searchbox').fill('team=blue');
    await page.getByText('No matching browsers').waitFor();
    await page.getByRole('searchbox').fill('team=red HAND');
    await card('by hand').waitFor();
    await page.getByRole('button', { name: 'Close by hand' }).click();
    await dialog().getByRole('button', { name: 'Close browser' }).click();
    await page.getByText('Browser closed').waitFor();
    await page.getByText('No matching browsers').waitFor();
    await page.getByRole('searchbox').fill('');
  });

  test('are made by keyboard alone, and what is wrong is told at its field', async () => {
    const own = await open('/');
    await own.getByLabel('API key').waitFor();
    await own.keyboard.type(user.server.api.key);
    await own.keyboard.press('Enter');
    const create = own.getByRole('button', { name: 'New browser' });
    await create.waitFor();
    for (let tabs = 0; tabs < 20 && !(await isFocused(create)); tabs++) await own.keyboard.press('Tab');
    await own.keyboard.press('Enter');
    await dialog(own).waitFor();
    await own.keyboard.type('by keyboard');
    await own.keyboard.press('Tab');
    await own.keyboard.type('nonsense');
    await own.keyboard.press('Enter');
    const start = own.getByLabel('Start URL');
    await expect.poll(() => start.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => isFocused(start)).toBe(true);
    await own.keyboard.press('ControlOrMeta+A');
    await own.keyboard.press('Delete');
    await own.keyboard.press('Enter');
    await own.waitForURL(/\/app\/browsers\/browser_/);
    const id = new URL(own.url()).pathname.split('/').at(-1) ?? '';
    expect((await user.server.api.get(id)).body).toMatchObject({ name: 'by keyboard', status: 'ready' });
    await user.server.api.remove(id);
  });
});

test('a key is made, shown once, works, and is revoked', async () => {
  await go('Keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('nightly');
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog().locator('.secret code').textContent()) ?? '';
  expect((await user.server.api.as(secret).call('GET', '/v1/browsers')).status).toBe(200);
  await page.keyboard.press('Escape');
  await dialog().getByRole('button', { name: 'I’ve saved the key' }).click();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Revoke nightly' }).click();
  await dialog().getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Key revoked').waitFor();
  expect((await user.server.api.as(secret).call('GET', '/v1/browsers')).status).toBe(401);
});

test('a webhook is made with its events, tried, looked into, paused and deleted', async () => {
  await go('Webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Address').fill('ftp://nowhere');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect.poll(() => page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Address').fill(`${site.origin}/hook`);
  await page.getByRole('checkbox', { name: 'browser.*' }).check();
  await page.getByRole('checkbox', { name: 'script.failed' }).check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  expect(await dialog().locator('.secret code').textContent()).toMatch(/^whsec_/);
  await dialog().getByRole('button', { name: 'I’ve saved the secret' }).click();
  const item = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
  await item.getByText('script.failed').waitFor();
  await item.getByRole('button', { name: 'Send test' }).click();
  const delivery = item.getByRole('row').filter({ hasText: 'webhook.test' });
  await delivery.getByText('delivered').waitFor();
  await delivery.getByRole('button', { name: '1 attempt' }).click();
  await item.getByText('HTTP 200').waitFor();
  await delivery.getByRole('button', { name: 'Send webhook.test again' }).click();
  await expect.poll(() => site.requests.filter(({ url }) => url === '/hook').length).toBe(2);
  await item.getByRole('button', { name: 'Pause' }).click();
  await item.getByText('paused').waitFor();
  await item.getByRole('button', { name: /^Delete/ }).click();
  await dialog().getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks yet').waitFor();
});

test('a secret is put in by an admin, seen by a member without its value, and deleted', async () => {
  const value = 'open sesame, please';
  await go('Secrets');
  await page.getByText('No secrets').waitFor();
  await page.getByRole('button', { name: 'New secret' }).click();
  await dialog().getByLabel('Name').fill('shop/password');
  await dialog().getByLabel('Value').fill(value);
  await dialog().getByLabel('Origins').fill('https://shop.example/login');
  await dialog().getByRole('button', { name: 'Create secret' }).click();
  await dialog().getByText('expected an origin').waitFor();
  await dialog().getByLabel('Origins').fill('https://shop.example');
  await dialog().getByRole('button', { name: 'Create secret' }).click();
  const row = page.getByRole('row', { name: /shop\/password/ });
  await row.getByText('https://shop.example').waitFor();
  expect(await page.content()).not.toContain(value);
  const member = await enter('/app/secrets', (await newKey('member')).key);
  await member.getByText('shop/password').waitFor();
  expect(await member.getByRole('button', { name: /New secret|Delete/ }).count()).toBe(0);
  await row.getByRole('button', { name: 'Delete shop/password' }).click();
  await dialog().getByRole('button', { name: 'Delete secret' }).click();
  await page.getByText('No secrets').waitFor();
});

test('the health page tells every check and draws the numbers; a member key is told what it may not see', async () => {
  await go('Health');
  const checks = page.getByRole('region', { name: 'Checks' }).getByRole('listitem');
  await expect.poll(() => checks.count()).toBe(5);
  await page.getByText(/0 of \d+ browsers in use/).waitFor();
  await page.getByRole('figure', { name: /Service memory\s*\d+ MiB/ }).waitFor();
  const member = await enter('/app/health', (await newKey('member')).key);
  await member.getByText('Charts need an admin key').waitFor();
  for (const [place, note] of [
    ['Keys', 'API keys need an admin key'],
    ['Webhooks', 'Webhooks need an admin key'],
  ] as const) {
    await go(place, member);
    await member.getByText(note).waitFor();
  }
});

test('it fits a phone, and follows the theme of the system until told otherwise', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  const dark = await ground();
  for (const [place, title = place] of [
    ['Script'],
    ['Quick'],
    ['Keys', 'API keys'],
    ['Secrets'],
    ['Webhooks'],
    ['Nodes'],
    ['Health'],
    ['Browsers'],
  ] as const) {
    await go(place);
    await page.waitForFunction((text) => document.title.startsWith(text), title);
    expect([place, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([place, 360]);
  }
  await page.getByRole('button', { name: 'Light theme' }).click();
  expect(await ground()).not.toBe(dark);
  await page.reload();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  expect(await ground()).toBe(dark);
});

test('a service that is away is told as such, and taken up again when it is back', async () => {
  await go('Browsers');
  await page.context().setOffline(true);
  await page.getByRole('radio', { name: 'Stopped' }).check();
  await page.getByText('Can’t reach the service').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Can’t reach the service').waitFor({ state: 'detached' });
  await page.getByText('No matching browsers').waitFor();
});

test('a page that cannot be loaded says so, others still can, and loading anew mends it', async () => {
  const own = await enter();
  const loads: string[] = [];
  own.on('load', () => loads.push(own.url()));
  await own.route(/assets\/keys-.*\.js/, (route) => route.fulfill({ status: 404 }));
  await go('Keys', own);
  const trouble = own.getByRole('heading', { name: 'This page can’t be loaded' });
  await trouble.waitFor();
  // an update of the service is the likeliest reason, so it has tried that by itself, once
  expect(loads).toEqual([`${user.server.api.url}/app/keys`]);
  await go('Health', own);
  await own.getByRole('heading', { name: 'Health' }).waitFor();
  await own.unrouteAll();
  await go('Keys', own);
  await trouble.waitFor();
  await own.getByRole('button', { name: 'Reload' }).click();
  await own.getByRole('heading', { name: 'API keys' }).waitFor();
});
