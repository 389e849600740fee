import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesIn, processesOf } from '../support/leaks.ts';
import { startServer, type TestServer, untilStatus } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
const open = { policy: { privateAccess: { localhost: true } } };

beforeAll(async () => {
  site = await startSite();
  server = await startServer({ BROWSERD_POOL_SIZE: '1' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

async function deletedForGood(id: string): Promise<void> {
  const { api, scratchDir } = server;
  const closed = await api.remove(id);
  expect(closed).toMatchObject({ status: 200, body: { id, status: 'closed' } });
  expect(closed.body.receipt.processesEnded).toBeGreaterThanOrEqual(3);
  expect(closed.body.receipt.bytesFreed).toBeGreaterThan(1000);
  expect(await filesIn(scratchDir)).not.toContain(id);
  expect((await api.remove(id)).body).toEqual(closed.body);
  expect(await api.get(id)).toMatchObject({ status: 200, body: { status: 'closed', tabs: 0 } });
  for (const call of [api.status, api.stop, api.resume])
    expect(await call(id)).toMatchObject({
      status: 409,
      body: { error: { code: 'BROWSER_NOT_READY', nextStep: 'create_browser' } },
    });
}

describe('a browser lives a whole life', () => {
  test('create answers 201 with the ready record and its address; delete gives a receipt, leaves nothing, and answers the same again', async () => {
    const { api } = server;
    const created = await api.create({ name: 'first', metadata: { team: 'red' } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      status: 'ready',
      name: 'first',
      metadata: { team: 'red' },
      recording: false,
      viewport: { width: 1280, height: 720, deviceScaleFactor: 1 },
      dialogs: 'dismiss',
      maxDuration: 86_400_000,
      epoch: 1,
      tabs: 1,
    });
    expect(created.body.id).toMatch(/^browser_[0-9a-z]{26}$/);
    expect(created.headers.get('location')).toBe(`/v1/browsers/${created.body.id}`);
    expect((await api.get(created.body.id)).body).toEqual(created.body);
    expect(created.body.traffic).toEqual({ bytesIn: 0, bytesOut: 0, connections: 0, refused: 0 });
    await deletedForGood(created.body.id);
  });

  test('the status snapshot shows tabs, the active tab, cookies by registrable domain, and nothing of their values', async () => {
    const { api } = server;
    const cookies = [
      { name: 'a', value: 'secret-value', domain: 'shop.example.co.uk' },
      { name: 'b', value: 'secret-value', domain: 'www.example.co.uk' },
      { name: 'c', value: 'secret-value', url: 'https://example.com/' },
    ];
    const { body: browser } = await api.create({ ...open, cookies, startUrl: `${site.origin}/other` });
    const { body: status } = await api.status(browser.id);
    expect(status).toMatchObject({
      browserId: browser.id,
      status: 'ready',
      activeTab: { url: `${site.origin}/other` },
      cookieCount: 3,
      cookieDomains: ['example.co.uk', 'example.com'],
    });
    expect(status.tabs).toEqual([status.activeTab]);
    expect(JSON.stringify(status)).not.toContain('secret-value');
    await api.remove(browser.id);
  });

  test('at most 32 cookie domains are listed; a stopped browser can be deleted, and its kept profile goes with it', async () => {
    const { api, dataDir } = server;
    const cookies = Array.from({ length: 40 }, (_, n) => ({ name: 'n', value: 'v', domain: `site${n}.com` }));
    const { body: browser } = await api.create({ cookies });
    const { body: status } = await api.status(browser.id);
    expect(status.cookieCount).toBe(40);
    expect(status.cookieDomains).toHaveLength(32);
    await api.stop(browser.id);
    expect(await filesIn(`${dataDir}/profiles`)).toContain(browser.id);
    expect((await api.remove(browser.id)).body.receipt.bytesFreed).toBeGreaterThan(1000);
    expect(await filesIn(`${dataDir}/profiles`)).not.toContain(browser.id);
  });

  test('a page that never lets go of its thread does not hold up the status', async () => {
    const { api } = server;
    const { body: browser } = await api.create({ ...open, startUrl: `${site.origin}/busy` });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { status, body } = await api.status(browser.id);
    expect(status).toBe(200);
    expect(body.activeTab.url).toBe(`${site.origin}/busy`);
    expect((await api.remove(browser.id)).status).toBe(200);
  });

  test('respond-async answers at once while the browser is being created; a dialog is dismissed and the page goes on', async () => {
    const { api } = server;
    const startUrl = `${site.origin}/alert`;
    const created = await api.create({ ...open, startUrl }, { prefer: 'respond-async' });
    expect(created).toMatchObject({ status: 202, body: { status: 'creating' } });
    expect(created.headers.get('preference-applied')).toBe('respond-async');
    const { body: browser } = await untilStatus(api, created.body.id, 'ready');
    await expect.poll(async () => (await api.status(browser.id)).body.activeTab.title).toBe('after alert');
    await api.remove(browser.id);
  });

  test('a stopped browser holds no process and comes back with cookies, storage, IndexedDB and tabs', async () => {
    const { api } = server;
    const first = site.nextReport();
    const { body: browser } = await api.create({ ...open, startUrl: `${site.origin}/state` });
    expect(await first).toMatchObject({ cookies: '', localStorage: null, indexedDb: null });
    await expect.poll(async () => (await api.status(browser.id)).body.activeTab.title).toBe('kept first');
    const before = (await api.status(browser.id)).body;

    const stopped = await api.stop(browser.id);
    expect(stopped).toMatchObject({ status: 200, body: { status: 'stopped', tabs: 1, epoch: 1 } });
    expect(stopped.body.stoppedAt).toBeTruthy();
    expect(await api.status(browser.id)).toMatchObject({
      status: 200,
      body: { status: 'stopped', tabs: before.tabs, activeTab: before.activeTab, cookieCount: 2 },
    });

    const second = site.nextReport();
    const resumed = await api.resume(browser.id);
    expect(resumed).toMatchObject({ status: 200, body: { status: 'ready', epoch: 2, tabs: 1 } });
    expect(resumed.body.stoppedAt).toBeUndefined();
    const kept = await second;
    expect(kept.cookies).toContain('session_kept=yes');
    expect(kept.cookies).toContain('lasting_kept=yes');
    expect(kept).toMatchObject({ localStorage: 'in-local-storage', indexedDb: 'in-indexed-db' });
    expect((await api.status(browser.id)).body.activeTab.tabId).toBe(before.activeTab.tabId);
    await api.remove(browser.id);
  });

  test('several tabs come back with their ids and the active one', async () => {
    const { api } = server;
    const { body: browser } = await api.create({ ...open, startUrl: `${site.origin}/opens-tabs` });
    await expect.poll(async () => (await api.status(browser.id)).body.tabs.length).toBe(3);
    await expect
      .poll(async () => (await api.status(browser.id)).body.activeTab.url)
      .toBe(`${site.origin}/other`);
    const before = (await api.status(browser.id)).body;
    await api.stop(browser.id);
    await api.resume(browser.id);
    const ids = (tabs: { tabId: string }[]) => tabs.map((tab) => tab.tabId);
    const after = (await api.status(browser.id)).body;
    expect(ids(after.tabs)).toEqual(expect.arrayContaining(ids(before.tabs)));
    expect(after.activeTab.tabId).toBe(before.activeTab.tabId);
    await api.remove(browser.id);
  });

  test('a browser is closed when its maximum duration is reached', async () => {
    const { api, scratchDir } = server;
    const { body: browser } = await api.create({ maxDuration: 1000 }, { prefer: 'respond-async' });
    const { body: closed } = await untilStatus(api, browser.id, 'closed');
    expect(closed.statusReason).toContain('maximum duration');
    expect(await filesIn(scratchDir)).not.toContain(browser.id);
  });

  test('an idle browser is stopped, not lost', async () => {
    const { api } = server;
    const { body: browser } = await api.create({ idleTimeout: 1000 });
    const { body: stopped } = await untilStatus(api, browser.id, 'stopped');
    expect(stopped.statusReason).toContain('idle');
    expect((await api.resume(browser.id)).body.status).toBe('ready');
    await api.remove(browser.id);
  });

  test('patch changes what may change on a living browser and refuses the rest', async () => {
    const { api } = server;
    const { body: browser } = await api.create({ metadata: { team: 'red' } });
    const patched = await api.patch(browser.id, {
      name: 'renamed',
      metadata: { team: 'blue' },
      maxDuration: 60_000,
      idleTimeout: 30_000,
      policy: { allowedDomains: ['Bücher.example', 'example.com.'] },
      proxy: 'http://user:secret@203.0.113.7:3128',
    });
    expect(patched).toMatchObject({
      status: 200,
      body: {
        name: 'renamed',
        metadata: { team: 'blue' },
        maxDuration: 60_000,
        idleTimeout: 30_000,
        policy: { allowedDomains: ['xn--bcher-kva.example', 'example.com'] },
        proxy: { username: 'user' },
      },
    });
    expect(JSON.stringify(patched.body)).not.toContain('secret');
    expect(Date.parse(patched.body.expiresAt) - Date.parse(patched.body.createdAt)).toBe(60_000);
    expect(await api.patch(browser.id, { proxy: null, idleTimeout: null, name: null })).toMatchObject({
      status: 200,
    });
    const { body: cleared } = await api.get(browser.id);
    expect(cleared).not.toHaveProperty('proxy');
    expect(cleared).not.toHaveProperty('idleTimeout');
    expect(cleared).not.toHaveProperty('name');
    expect(await api.patch(browser.id, { recording: true })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED' } },
    });
    await api.remove(browser.id);
    expect(await api.patch(browser.id, { name: 'late' })).toMatchObject({ status: 409 });
  });

  test('a profile that is not there, or is named twice, is refused, not ignored', async () => {
    const { api } = server;
    for (const profile of [{ id: 'profile_1' }, { name: 'nowhere', save: 'close' }])
      expect(await api.create({ profile })).toMatchObject({
        status: 404,
        body: { error: { code: 'PROFILE_NOT_FOUND' } },
      });
    for (const profile of [{}, { id: 'profile_1', name: 'both' }, { name: 'x', save: true }])
      expect(await api.create({ profile })).toMatchObject({ status: 400 });
  });

  test('the whole Chromium can be asked for', async () => {
    const { api } = server;
    const report = site.nextReport();
    const { body: browser } = await api.create({ ...open, engine: 'full', startUrl: `${site.origin}/state` });
    expect(browser).toMatchObject({ engine: 'full', status: 'ready' });
    expect(await report).toMatchObject({ width: 1280, height: 720 });
    expect((await api.status(browser.id)).body.tabs).toHaveLength(1);
    await api.remove(browser.id);
  });
});

test('after all that, only the warm Chromium is left, and after the shutdown nothing', async () => {
  const { api, scratchDir } = server;
  const { body: page } = await api.call('GET', '/v1/browsers?status=ready,stopped,creating&limit=100');
  for (const browser of page.items) await api.remove(browser.id);
  await expect.poll(async () => (await filesIn(scratchDir)).length).toBeLessThanOrEqual(1);
  await server.service.close();
  expect(processesOf(scratchDir)).toEqual([]);
  expect(await filesIn(scratchDir)).toEqual([]);
});
