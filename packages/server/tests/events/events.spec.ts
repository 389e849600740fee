import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { type Frame, followEvents } from '../support/event-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let server: TestServer;
let api: Api;
beforeAll(async () => {
  site = await startSite();
  server = await startServer();
  api = server.api;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const open = { policy: { privateAccess: { localhost: true } } };
const typesOf = (items: { type: string }[]) => items.map(({ type }) => type);
/** A page that is done says so in its title. */
const goTo = async (id: string, path: string) => {
  const body = { url: site.origin + path, waitFor: 'load' };
  expect((await api.call('POST', `/v1/browsers/${id}/scrape`, { body })).status).toBe(200);
  await eventually(
    () => api.status(id),
    ({ body: { activeTab } }) => activeTab.url.endsWith(path) && activeTab.title.endsWith('done'),
  );
};
const list = async (path: string) => (await api.call('GET', path)).body;

describe('the events of a browser', () => {
  test('tell its life in order, and stay readable after it was closed', async () => {
    const { body: browser } = await api.create();
    await api.stop(browser.id);
    await api.remove(browser.id);
    const path = `/v1/browsers/${browser.id}/events`;
    const { items } = await list(`${path}?type=browser.*&order=asc`);
    expect(typesOf(items)).toEqual([
      'browser.created',
      'browser.ready',
      'browser.stopping',
      'browser.stopped',
      'browser.closing',
      'browser.closed',
    ]);
    const seqs = items.map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a: number, b: number) => a - b));
    expect(typesOf((await list(`${path}?type=browser.closed,browser.ready`)).items)).toEqual([
      'browser.closed',
      'browser.ready',
    ]);
    expect(typesOf((await list(`/v1/events?type=browser.closed&limit=1`)).items)).toEqual(['browser.closed']);
    const unknown = await api.call('GET', '/v1/browsers/browser_nonsense/events');
    expect(unknown.body.error.code).toBe('BROWSER_NOT_FOUND');
  });

  test('are numbered as they happened, and a script that a close ends has its end among them', async () => {
    const { body: browser } = await api.create(open);
    const path = `/v1/browsers/${browser.id}`;
    const run = (code: string) => api.call('POST', `${path}/script/execute`, { body: { code } });
    await run('return 1');
    const cut = run('await sleep(60_000)');
    await using stream = await followEvents(api, `${path}/events?type=script.started&lastEventId=0`);
    await eventually(
      async () => stream.events().length,
      (count) => count === 2,
    );
    await Promise.all([api.remove(browser.id), cut]);
    const { items } = await list(`${path}/events?order=asc&limit=100`);
    expect(typesOf(items).filter((type) => /^(script|browser)/.test(type))).toEqual([
      ...['browser.created', 'browser.ready', 'script.started', 'script.completed', 'script.started'],
      ...['browser.closing', 'script.failed', 'browser.closed'],
    ]);
    const times = items.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
    const { body: quick } = await api.create(open);
    await api.call('POST', `/v1/browsers/${quick.id}/script/execute`, { body: { code: 'return 1' } });
    await api.remove(quick.id);
    const all = typesOf((await list(`/v1/browsers/${quick.id}/events?order=asc&limit=100`)).items);
    expect(all.indexOf('script.completed')).toBeLessThan(all.indexOf('browser.closing'));
    expect(all.at(-1)).toBe('browser.closed');
  });

  test('are followed live, by browser and for the whole project', async () => {
    await using all = await followEvents(api, '/v1/events');
    const { body: first } = await api.create(open);
    await using one = await followEvents(api, `/v1/browsers/${first.id}/events?lastEventId=0`);
    const { body: second } = await api.create();
    const code = `await page.goto('${site.origin}/other'); return page.title()`;
    await api.call('POST', `/v1/browsers/${first.id}/script/execute`, { body: { code } });
    const isOf = (id: string, type: string) => (frame: Frame) =>
      frame.event === type && frame.data.browserId === id;
    await one.until(isOf(first.id, 'script.completed'));
    await all.until(isOf(first.id, 'script.completed'));
    await all.until(isOf(second.id, 'browser.ready'));
    expect(one.events().every(({ data }) => data.browserId === first.id)).toBe(true);
    const told = one.events().map(({ event }) => event);
    expect(told.slice(0, 2)).toEqual(['browser.created', 'browser.ready']);
    expect(told).toEqual(expect.arrayContaining(['script.started', 'tab.navigated', 'script.completed']));
    const { items } = await list(`/v1/browsers/${first.id}/events?order=asc&limit=100`);
    expect(one.events().map(({ data }) => data)).toEqual(items.slice(0, one.events().length));
    await api.remove(first.id);
    await api.remove(second.id);
  });
});

describe('errors in the console of a page', () => {
  let id: string;
  beforeAll(async () => {
    id = (await api.create(open)).body.id;
  });
  afterAll(() => api.remove(id));

  test('are events, whether it logged or did not catch them', async () => {
    await using stream = await followEvents(api, `/v1/browsers/${id}/events?type=console.error`);
    await goTo(id, '/errors');
    await stream.until(({ data }) => data?.data?.text?.includes('not caught'));
    const tabId = (await api.status(id)).body.activeTab.tabId;
    const told = stream.events().map(({ data }) => data.data);
    const url = `${site.origin}/errors`;
    expect(told).toContainEqual(
      expect.objectContaining({ tabId, kind: 'logged', text: 'logged Object 2n', url, line: 1 }),
    );
    expect(told).toContainEqual(
      expect.objectContaining({
        tabId,
        kind: 'uncaught',
        text: expect.stringContaining('Error: not caught'),
      }),
    );
    expect(told).toContainEqual(
      expect.objectContaining({ kind: 'uncaught', text: expect.stringContaining('TypeError: rejected') }),
    );
    expect(told).toHaveLength(3);
  });

  test('are not told of a page that floods it, until its next document', async () => {
    await using stream = await followEvents(api, `/v1/browsers/${id}/events?type=console.error`);
    await goTo(id, '/floods');
    await stream.until(({ data }) => data?.data?.kind === 'quieted');
    await goTo(id, '/errors');
    await stream.until(({ data }) => data?.data?.text?.includes('not caught'));
    expect(stream.events().map(({ data }) => data.data.text)).not.toContain('too late');
    expect(stream.events()).toHaveLength(4);
  });
});
