import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../../server/tests/support/site.ts';
import { signIn, startUser, type User } from './dashboard-client.ts';

/** Traces and bundles as a person finds and opens them: the real viewer, in a Chromium of the user's own. */
let user: User;
let site: Site;
let id: string;

const shop = `<!doctype html><title>Shop</title><link rel="stylesheet" href="/shop.css"><h1>Shop</h1>
  <button onclick="this.textContent = 'Bought'">Buy</button><img src="x" onerror="window.ran = true">`;

beforeAll(async () => {
  site = await startSite({ '/shop': shop });
  user = await startUser();
  const { api } = user.server;
  const { body } = await api.create({ policy: { privateAccess: { localhost: true } } });
  id = body.id;
  const code = `await page.goto(args.url); await page.getByRole('button', { name: 'Buy' }).click(); throw new Error('after that')`;
  await api.call('POST', `/v1/browsers/${id}/script/execute`, {
    body: { code, trace: true, capture: { bundle: 'error' }, args: { url: `${site.origin}/shop` } },
  });
  await signIn(user);
});
afterAll(async () => {
  await user[Symbol.asyncDispose]();
  await site.close();
});

async function openTrace(from: Page, button: string): Promise<{ tab: Page; viewer: FrameLocator }> {
  const opened = from.context().waitForEvent('page');
  await from.getByRole('button', { name: button }).first().click();
  const tab = await opened;
  const viewer = tab.frameLocator('iframe[title="Trace viewer"]');
  await viewer.getByText('Navigate').first().waitFor();
  return { tab, viewer };
}

describe('a trace', () => {
  test('opens from the files of its browser, with actions, snapshots, network and code', async () => {
    const { page } = user;
    await page.goto(`${user.server.api.url}/app/browsers/${id}?view=files`);
    const { tab, viewer } = await openTrace(page, 'Open trace.zip in the trace viewer');
    await viewer
      .getByText(/^Click/)
      .first()
      .click();
    const snapshot = viewer.frameLocator('iframe.snapshot-visible[name=snapshot]');
    await snapshot.getByRole('heading', { name: 'Shop' }).waitFor();
    await viewer.getByRole('tab', { name: 'After' }).click();
    await snapshot.getByText('Bought').waitFor();
    await viewer.getByRole('tab', { name: /^Network/ }).click();
    await viewer.getByText('shop.css').first().waitFor();
    await viewer.getByRole('tab', { name: /^Source/ }).click();
    await viewer.getByText('after that').first().waitFor();
    // Code of the page does not run again here.
    expect(await snapshot.locator('html').evaluate(() => 'ran' in window)).toBe(false);
    await tab.close();
  });

  test('is shown in a tab that has neither the key nor a way back to it', async () => {
    const { tab } = await openTrace(user.page, 'Open trace.zip in the trace viewer');
    for (const frame of tab.frames().slice(0, 2)) {
      const held = await frame.evaluate(() => ({
        kept: sessionStorage.length,
        opener: window.opener,
        all: JSON.stringify(Object.entries(localStorage)) + document.cookie + location.href,
      }));
      expect(held).toMatchObject({ kept: 0, opener: null });
      expect(held.all).not.toContain(user.server.api.key);
      expect(await frame.evaluate(() => fetch('http://127.0.0.1:9/').then(String, String))).toContain(
        'Failed to fetch',
      );
    }
    await tab.close();
  });

  test('and the bundle are in the line of its run in the timeline', async () => {
    const { page } = user;
    await page.goto(`${user.server.api.url}/app/browsers/${id}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('button', { name: /Script failed/ }).click();
    const saved = page.waitForEvent('download');
    await timeline.getByRole('button', { name: 'Save the bundle' }).click();
    expect((await saved).suggestedFilename()).toBe('bundle.zip');
    const { tab } = await openTrace(page, 'Open the trace');
    await tab.close();
  });

  test('is shown without a request to the site that it is of', () => {
    const times = site.requests.filter(({ url }) => url === '/shop.css').length;
    expect(times).toBe(1);
  });
});
