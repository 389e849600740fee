import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { type Frame, followEvents } from '../support/event-client.ts';
import { makeFolders, spawnServer, startServer, type TestServer } from '../support/server.ts';
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
const goTo = (id: string, path: string) =>
  api.call('POST', `/v1/browsers/${id}/script/execute`, {
    body: {
      code: `await page.goto('${site.origin}${path}'); await page.waitForFunction(() => document.title.endsWith('done'))`,
    },
  });
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
  test('are events, whether it logged or did not catch them', async () => {
    const { body: browser } = await api.create(open);
    await using stream = await followEvents(api, `/v1/browsers/${browser.id}/events?type=console.error`);
    await goTo(browser.id, '/errors');
    await stream.until(({ data }) => data?.data?.text?.includes('not caught'));
    const tabId = (await api.status(browser.id)).body.activeTab.tabId;
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
    await api.remove(browser.id);
  });

  test('are not told of a page that floods it, until its next document', async () => {
    const { body: browser } = await api.create(open);
    await using stream = await followEvents(api, `/v1/browsers/${browser.id}/events?type=console.error`);
    await goTo(browser.id, '/floods');
    await stream.until(({ data }) => data?.data?.kind === 'quieted');
    await goTo(browser.id, '/errors');
    await stream.until(({ data }) => data?.data?.text?.includes('not caught'));
    expect(stream.events().map(({ data }) => data.data.text)).not.toContain('too late');
    expect(stream.events()).toHaveLength(4);
    await api.remove(browser.id);
  });
});

test('over a killed service a client that comes back misses nothing and sees nothing twice', async () => {
  await using folders = await makeFolders();
  const first = await spawnServer(folders.env);
  const { body: browser } = await first.api.create();
  await using before = await followEvents(first.api, '/v1/events?lastEventId=0&type=browser.*');
  await before.until(({ event }) => event === 'browser.ready');
  first.child.kill('SIGKILL');
  await first.exited;
  await before.ended.catch(() => undefined);

  const second = await spawnServer(folders.env);
  const lastId = before.events().at(-1)?.id ?? '';
  const headers = { 'last-event-id': lastId };
  await using after = await followEvents(second.api, '/v1/events?type=browser.*', headers);
  await after.until(({ event }) => event === 'browser.recovered');
  const seen = [...before.events(), ...after.events()].map(({ data }) => data);
  const { body } = await second.api.call('GET', `/v1/browsers/${browser.id}/events?type=browser.*&order=asc`);
  expect(seen).toEqual(body.items);

  second.child.kill('SIGTERM');
  expect(await second.exited).toEqual({ code: 0, signal: null });
  await after.ended;
  expect(after.frames.at(-1)).toMatchObject({
    event: 'end',
    data: { error: { code: 'SERVICE_SHUTTING_DOWN' } },
  });
});
