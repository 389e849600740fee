import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { liveCapability, type Viewer, watch } from '../support/live-client.ts';
import { livePages } from '../support/live-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let id: string;
let viewer: Viewer;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer(), startSite(livePages)]);
  const policy = { privateAccess: { localhost: true } };
  // as browsers are by default: dialogs are dismissed
  id = (await server.api.create({ policy, startUrl: `${site.origin}/asks` })).body.id;
});
afterAll(async () => {
  await site.close();
  await server[Symbol.asyncDispose]();
});

const seen = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 90_000, interval: 20 });
const state = () => viewer.told.findLast(({ type }) => type === 'state');
const open = () => state()?.dialogs ?? [];
const click = (y: number) => {
  const at = { type: 'mouse', x: 60, y, button: 'left', clicks: 1 };
  viewer.say({ ...at, kind: 'down', buttons: 1 });
  viewer.say({ ...at, kind: 'up', buttons: 0 });
};
const answer = (more: object) => viewer.say({ type: 'dialog', dialogId: open()[0].id, ...more });
const closed = async () =>
  (await server.api.call('GET', `/v1/browsers/${id}/dialogs?state=dismissed`)).body.items[0];
const drive = (action: 'take' | 'return') => viewer.say({ type: 'control', action });
const driver = (who: string) => seen(() => expect(state()?.handoff.state).toBe(who));
const read = async (expression: string) => {
  const body = { code: `return page.evaluate(() => ${expression})` };
  return (await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body })).body.result;
};

test('dialogs wait for a person who drives, and go by the setting of the browser again when the person does not', async () => {
  viewer = await watch((await liveCapability(server.api, id, 'control')).socketUrl);
  await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
  click(30);
  await seen(async () => expect(await closed()).toMatchObject({ type: 'confirm', closedBy: 'mode' }));

  drive('take');
  await driver('person');
  click(30);
  await seen(() => expect(open()).toMatchObject([{ type: 'confirm', message: 'Really?' }]));
  answer({ action: 'accept' });
  await seen(() => expect(open()).toEqual([]));
  click(80);
  await seen(() => expect(open()).toMatchObject([{ type: 'prompt', defaultValue: 'nobody' }]));
  answer({ action: 'accept', promptText: 'Ada' });
  await seen(() => expect(open()).toEqual([]));

  // one that is open when control goes back is answered by the setting, and scripts go on
  click(30);
  await seen(() => expect(open()).toHaveLength(1));
  drive('return');
  await driver('scripts');
  await seen(() => expect(open()).toEqual([]));
  expect(await closed()).toMatchObject({ type: 'confirm', closedBy: 'mode' });
  expect(await read('noted')).toEqual(['confirm false', 'confirm true', 'prompt Ada', 'confirm false']);
});

test('a person is asked before a page with unsaved input is left, and may stay', async () => {
  viewer = await watch((await liveCapability(server.api, id, 'control')).socketUrl);
  await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
  drive('take');
  await driver('person');
  click(300);
  const leave = async () => {
    viewer.say({ type: 'visit', url: `${site.origin}/type` });
    await seen(() => expect(open()).toMatchObject([{ type: 'beforeunload' }]));
  };
  await leave();
  answer({ action: 'dismiss' });
  await seen(() => expect(open()).toEqual([]));
  await seen(() => expect(state()?.tabs[0].url).toBe(`${site.origin}/asks`));
  expect(state().failed).toBeUndefined();
  await leave();
  answer({ action: 'accept' });
  await seen(() => expect(state()?.tabs[0].url).toBe(`${site.origin}/type`));

  // taken back by the owner, as good as handed back
  viewer.say({ type: 'visit', url: `${site.origin}/asks` });
  await seen(() => expect(state()?.tabs[0].url).toBe(`${site.origin}/asks`));
  await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
  click(30);
  await seen(() => expect(open()).toHaveLength(1));
  await server.api.call('DELETE', `/v1/browsers/${id}/handoff`);
  await seen(() => expect(open()).toEqual([]));
  expect(await read('noted')).toEqual(['confirm false']);
});
