import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { liveCapability, type Viewer, watch } from '../support/live-client.ts';
import { click, isRefused } from '../support/live-hand.ts';
import { livePages } from '../support/live-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let id: string;
/** The tab that the address is for, and one in front of it. */
let mine: string;
let other: string;

const open = async (path: string): Promise<string> => {
  const body = { url: `${site.origin}${path}` };
  return (await server.api.call('POST', `/v1/browsers/${id}/tabs`, { body })).body.tabId;
};

beforeAll(async () => {
  [server, site] = await Promise.all([startServer(), startSite(livePages)]);
});
afterAll(async () => {
  await site.close();
  await server[Symbol.asyncDispose]();
});

const seen = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 90_000, interval: 20 });
const capability = (body: object) =>
  server.api.call('POST', `/v1/browsers/${id}/capabilities`, { body: { kind: 'live', ...body } });
const pinned = async (mode: 'view' | 'control' = 'control'): Promise<Viewer> =>
  watch((await capability({ mode, tabId: mine })).body.socketUrl);
const lastState = ({ told }: Viewer) => told.findLast(({ type }) => type === 'state');
const read = async (tabId: string, expression: string) => {
  const body = { tabId, code: `return page.evaluate(() => ${expression})` };
  return (await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body })).body.result;
};
const tabs = async (): Promise<string[]> =>
  (await server.api.call('GET', `/v1/browsers/${id}/tabs`)).body.items.map(
    (tab: { tabId: string }) => tab.tabId,
  );

describe.each(['shell', 'full'] as const)('in the engine %s, an address for one tab', (engine) => {
  beforeAll(async () => {
    const policy = { privateAccess: { localhost: true } };
    const asked = { policy, engine, dialogs: 'manual', startUrl: `${site.origin}/` };
    id = (await server.api.create(asked)).body.id;
  });
  beforeEach(async () => {
    mine = await open('/type');
    other = await open('/asks');
  });

  test('shows this tab alone, whichever is in front', async () => {
    const viewer = await pinned('view');
    await seen(() => expect(viewer.told.length).toBeGreaterThan(0));
    expect(viewer.told[0]).toEqual({ type: 'welcome', browserId: id, mode: 'view', tabId: mine });
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
    const before = viewer.frames.length;
    await read(mine, "void (document.body.style.background = 'gold')");
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(before));
    await open('/drag');
    await read(mine, "void (document.title = 'after all')");
    await seen(() => expect(lastState(viewer).tabs).toMatchObject([{ tabId: mine, title: 'after all' }]));
    expect(lastState(viewer).activeTabId).toBe(mine);
    expect(new Set(viewer.frames.map(({ header }) => header.tabId))).toEqual(new Set([mine]));
    const told = JSON.stringify(viewer.told);
    expect(told).not.toContain(other);
    expect(told).not.toContain('/asks');
  });

  test('controls this tab, though another is in front and has a viewer of its own', async () => {
    const beside = await watch((await liveCapability(server.api, id, 'control')).socketUrl);
    const viewer = await pinned();
    click(viewer, 60, 60);
    viewer.say({ type: 'text', text: 'into mine' });
    await seen(async () => expect(await read(mine, 'field.value')).toBe('into mine'));
    expect(lastState(beside).activeTabId).toBe(other);
    viewer.say({ type: 'visit', url: `${site.origin}/drag` });
    await seen(async () => expect(await read(mine, 'location.pathname')).toBe('/drag'));
    viewer.say({ type: 'go', to: 'back' });
    await seen(async () => expect(await read(mine, 'location.pathname')).toBe('/type'));
    expect(await read(other, 'location.pathname')).toBe('/asks');
  });

  test('does nothing to other tabs', async () => {
    const viewer = await pinned();
    const before = await tabs();
    await isRefused(viewer, () => viewer.say({ type: 'open' }), 'open');
    await isRefused(viewer, () => viewer.say({ type: 'activate', tabId: other }), 'activate');
    await isRefused(viewer, () => viewer.say({ type: 'close', tabId: other }), 'close');
    expect(await tabs()).toEqual(before);

    const beside = await watch((await liveCapability(server.api, id, 'control')).socketUrl);
    click(beside, 40, 25);
    await seen(() => expect(lastState(beside)?.dialogs).toMatchObject([{ tabId: other }]));
    const [dialog] = lastState(beside).dialogs;
    const dialogsOf = async (tabId: string) =>
      (await server.api.call('GET', `/v1/browsers/${id}/dialogs?state=open&tabId=${tabId}`)).body.items;
    expect([await dialogsOf(mine), await dialogsOf(other)]).toMatchObject([[], [{ id: dialog.id }]]);
    await isRefused(
      viewer,
      () => viewer.say({ type: 'dialog', dialogId: dialog.id, action: 'accept' }),
      'dialog',
    );
    expect(JSON.stringify(viewer.told)).not.toContain(dialog.id);
    beside.say({ type: 'dialog', dialogId: dialog.id, action: 'dismiss' });
    await seen(async () => expect(await read(other, 'noted')).toEqual(['confirm false']));
  });

  test('answers the dialogs of its own tab', async () => {
    const viewer = await watch((await capability({ mode: 'control', tabId: other })).body.socketUrl);
    click(viewer, 40, 25);
    await seen(() => expect(lastState(viewer)?.dialogs).toMatchObject([{ tabId: other }]));
    const [dialog] = lastState(viewer).dialogs;
    viewer.say({ type: 'dialog', dialogId: dialog.id, action: 'accept' });
    await seen(async () => expect(await read(other, 'noted')).toEqual(['confirm true']));
  });

  test('ends with its tab, and says so to all who come later', async () => {
    const { socketUrl } = (await capability({ tabId: mine })).body;
    const viewer = await watch(socketUrl);
    await server.api.call('DELETE', `/v1/browsers/${id}/tabs/${mine}`);
    expect(await viewer.closed).toMatchObject({
      code: 4005,
      reason: expect.stringMatching(/^TAB_NOT_FOUND/),
    });
    expect((await (await watch(socketUrl)).closed).code).toBe(4005);
    const { status, body } = await capability({ tabId: mine });
    expect([status, body.error.code]).toEqual([404, 'TAB_NOT_FOUND']);
  });

  test('is good after a stop, and cannot be turned into one for all tabs', async () => {
    const { socketUrl } = (await capability({ tabId: mine })).body;
    const viewer = await watch(socketUrl);
    await server.api.stop(id);
    expect((await viewer.closed).code).toBe(4000);
    expect((await capability({ tabId: mine })).status).toBe(201);
    await server.api.resume(id);
    const again = await watch(socketUrl);
    await seen(() => expect(lastState(again)?.tabs).toMatchObject([{ tabId: mine }]));

    const url = new URL(socketUrl);
    const [text = '', signature] = (url.searchParams.get('token') ?? '').slice('bdc_'.length).split('.');
    const fields = JSON.parse(Buffer.from(text, 'base64url').toString()).slice(0, 6);
    const wider = Buffer.from(JSON.stringify(fields)).toString('base64url');
    const { status } = await fetch(
      `${server.api.url}/v1/browsers/${id}/live?token=bdc_${wider}.${signature}`,
    );
    expect(status).toBe(401);
  });
});
