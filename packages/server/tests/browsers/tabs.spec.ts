import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const titled = (name: string): string =>
  `<!doctype html><title>${name}</title><a id=down href="#down">down</a><h1>${name}</h1>`;

let server: TestServer;
let site: Site;
beforeAll(async () => {
  site = await startSite({
    '/first': titled('first'),
    '/second': titled('second'),
    '/size': '<!doctype html><title>size</title>',
    '/asks': '<!doctype html><title>asks</title><script>setTimeout(() => alert("wait"), 0)</script>',
  });
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const policy = { privateAccess: { localhost: true } };

/** The tabs of one browser. */
const tabsOf = (id: string) => {
  const path = `/v1/browsers/${id}/tabs`;
  const { api } = server;
  return {
    list: (query = '') => api.call('GET', path + query),
    get: (tabId: string) => api.call('GET', `${path}/${tabId}`),
    open: (body: object, headers = {}): Promise<Answer> => api.call('POST', path, { body, headers }),
    change: (tabId: string, body: object) => api.call('PATCH', `${path}/${tabId}`, { body }),
    close: (tabId: string, headers = {}) => api.call('DELETE', `${path}/${tabId}`, { headers }),
  };
};

const create = async (more: object = {}): Promise<string> =>
  (await server.api.create({ policy, ...more })).body.id;

const run = async (id: string, code: string, tabId?: string): Promise<unknown> =>
  (await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code, tabId } })).body.result;

const idsOf = ({ body }: Answer): string[] => body.items.map(({ tabId }: { tabId: string }) => tabId);

describe.each(['shell', 'full'])('tabs of the engine %s', (engine) => {
  test('are opened, listed, looked at, sent back and forward, and closed', async () => {
    const id = await create({ engine });
    const tabs = tabsOf(id);
    const [first] = idsOf(await tabs.list());
    const { status, body: opened } = await tabs.open({ url: `${site.origin}/first` });
    expect(status).toBe(201);
    expect(opened).toMatchObject({
      url: `${site.origin}/first`,
      title: 'first',
      active: true,
      crashed: false,
      readyState: 'complete',
      canGoForward: false,
      navigation: { statusCode: 200, finalUrl: `${site.origin}/first`, timedOut: false },
    });
    const { tabId } = opened;
    expect(idsOf(await tabs.list())).toEqual([first, tabId]);
    expect((await tabs.change(tabId, { url: `${site.origin}/second` })).body.title).toBe('second');
    const { body: back } = await tabs.change(tabId, { go: 'back' });
    expect(back).toMatchObject({ title: 'first', canGoForward: true, url: `${site.origin}/first` });
    expect(back.navigation.finalUrl).toBe(`${site.origin}/first`);
    expect((await tabs.change(tabId, { go: 'forward' })).body).toMatchObject({
      title: 'second',
      canGoForward: false,
    });
    expect(await run(id, 'return [page.url(), await page.title()]', tabId)).toEqual([
      `${site.origin}/second`,
      'second',
    ]);
    expect((await tabs.close(tabId)).body).toEqual({ tabId, closed: true, tabsLeft: 1 });
    expect(idsOf(await tabs.list())).toEqual([first]);
    expect((await tabs.get(tabId)).body.error.code).toBe('TAB_NOT_FOUND');
    await server.api.remove(id);
  });

  test('have a viewport of their own, which outlives a stop, until they are to have the browser’s again', async () => {
    const id = await create({ engine, viewport: { width: 900, height: 600 } });
    const tabs = tabsOf(id);
    const size = (tabId: string) =>
      run(id, 'return page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio])', tabId);
    const [first = ''] = idsOf(await tabs.list());
    const own = { width: 500, height: 400, deviceScaleFactor: 2 };
    const { body: small } = await tabs.open({ url: `${site.origin}/size`, viewport: own });
    expect(small.viewport).toEqual(own);
    expect(await size(small.tabId)).toEqual([500, 400, 2]);
    expect(await size(first)).toEqual([900, 600, 1]);
    await server.api.patch(id, { viewport: { width: 1000, height: 700 } });
    expect(await size(small.tabId)).toEqual([500, 400, 2]);
    await server.api.stop(id);
    await server.api.resume(id);
    expect((await tabs.get(small.tabId)).body.viewport).toEqual(own);
    expect(await size(small.tabId)).toEqual([500, 400, 2]);
    expect((await tabs.change(small.tabId, { viewport: null })).body).not.toHaveProperty('viewport');
    expect(await size(small.tabId)).toEqual([1000, 700, 1]);
    await server.api.remove(id);
  });
});

describe('a tab', () => {
  let id: string;
  let tabs: ReturnType<typeof tabsOf>;
  let first: string;
  beforeAll(async () => {
    id = await create({ startUrl: `${site.origin}/` });
    tabs = tabsOf(id);
    [first = ''] = idsOf(await tabs.list());
  });
  afterAll(() => server.api.remove(id));

  test('opens behind the one in front, and comes to the front when it is asked to', async () => {
    const { body: behind } = await tabs.open({ url: `${site.origin}/first`, active: false });
    expect(behind.active).toBe(false);
    expect((await server.api.status(id)).body.activeTab.tabId).toBe(first);
    expect((await tabs.change(behind.tabId, { active: true })).body.active).toBe(true);
    expect((await server.api.status(id)).body.activeTab.tabId).toBe(behind.tabId);
    await tabs.close(behind.tabId);
  });

  test('goes to a place in the same page without loading it, and back', async () => {
    const { body: tab } = await tabs.open({ url: `${site.origin}/first` });
    const loads = () => site.requests.filter(({ url }) => url === '/first').length;
    const before = loads();
    await run(id, `await page.click('#down')`, tab.tabId);
    expect((await tabs.get(tab.tabId)).body.url).toBe(`${site.origin}/first#down`);
    expect((await tabs.change(tab.tabId, { go: 'back' })).body.url).toBe(`${site.origin}/first`);
    expect(loads()).toBe(before);
    expect((await tabs.change(tab.tabId, { go: 'reload' })).body.navigation.statusCode).toBe(200);
    expect(loads()).toBe(before + 1);
    await tabs.close(tab.tabId);
  });

  test('that cannot go back says so and stays where it is', async () => {
    const { body: tab } = await tabs.open({});
    const { status, body } = await tabs.change(tab.tabId, { go: 'back' });
    expect([status, body.error.code, body.error.details.reason]).toEqual([
      422,
      'NAVIGATION_FAILED',
      'NO_HISTORY',
    ]);
    expect((await tabs.get(tab.tabId)).body.url).toBe('about:blank');
    await tabs.close(tab.tabId);
  });

  test.each([
    ['an address that its policy refuses', 'http://10.0.0.1/', 'POLICY_BLOCKED'],
    ['a page that is not there', 'http://nothing.invalid/', 'NAVIGATION_FAILED'],
  ])('that was opened for %s is closed again', async (_, url, code) => {
    const before = idsOf(await tabs.list());
    const { body } = await tabs.open({ url });
    expect(body.error.code).toBe(code);
    expect(idsOf(await tabs.list())).toEqual(before);
  });

  test('is opened once, however often a caller repeats the call', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [one, two] = [
      await tabs.open({ url: `${site.origin}/` }, headers),
      await tabs.open({ url: `${site.origin}/` }, headers),
    ];
    expect(two.body.tabId).toBe(one.body.tabId);
    expect(two.headers.get('idempotent-replayed')).toBe('true');
    const closing = { 'idempotency-key': randomUUID() };
    const closes = [await tabs.close(one.body.tabId, closing), await tabs.close(one.body.tabId, closing)];
    expect(closes.map(({ status }) => status)).toEqual([200, 200]);
    expect((await tabs.close(one.body.tabId)).status).toBe(404);
  });

  test('that two callers close at once is closed once, and both are told that it is gone', async () => {
    const { body: tab } = await tabs.open({});
    const statuses = (await Promise.all([tabs.close(tab.tabId), tabs.close(tab.tabId)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()[0]).toBe(200);
    expect([200, 404]).toContain(statuses.toSorted()[1]);
    expect(idsOf(await tabs.list())).not.toContain(tab.tabId);
  });

  test('that hangs at its site is given up in time, with what there is where that is enough', async () => {
    const { body: tab } = await tabs.open({});
    const slow = { url: `${site.origin}/gate`, timeoutMs: 400 };
    expect((await tabs.change(tab.tabId, slow)).body.error.code).toBe('QUICK_ACTION_TIMEOUT');
    expect((await tabs.change(tab.tabId, { go: 'stop' })).body.url).toBe('about:blank');
    await tabs.close(tab.tabId);
  });

  test('whose page waits in a dialog says so and goes nowhere', async () => {
    const asking = await create({ dialogs: 'manual', startUrl: `${site.origin}/asks` });
    const own = tabsOf(asking);
    const [tabId = ''] = idsOf(await own.list());
    const held = await eventually(
      () => own.get(tabId),
      ({ body }) => body.dialogOpen,
    );
    expect(held.body.readyState).toBe('unknown');
    const { body } = await own.change(tabId, { url: `${site.origin}/` });
    expect(body.error.code).toBe('DIALOG_OPEN');
    expect((await own.list()).body.items[0].dialogOpen).toBe(true);
    await server.api.remove(asking);
  });

  test.each([
    ['nothing to change', {}, /name what is to change/],
    ['two places to go to', { url: 'https://example.com/', go: 'back' }, /not both/],
    ['an address that is none of the web', { url: 'file:///etc/passwd' }, /url/],
  ])('is refused %s', async (_, body, reason) => {
    const answer = await tabs.change(first, body);
    expect(answer.body.error.code).toBe('VALIDATION_FAILED');
    expect(JSON.stringify(answer.body.error)).toMatch(reason);
  });
});

test('tabs come page by page, and those of a stopped browser as they were saved', async () => {
  const id = await create();
  const tabs = tabsOf(id);
  for (const name of ['first', 'second']) await tabs.open({ url: `${site.origin}/${name}` });
  const all = idsOf(await tabs.list());
  const { body: page } = await tabs.list('?limit=2');
  expect([idsOf({ body: page } as Answer), page.hasMore]).toEqual([all.slice(0, 2), true]);
  const { body: rest } = await tabs.list(`?limit=2&cursor=${page.nextCursor}`);
  expect([idsOf({ body: rest } as Answer), rest.hasMore]).toEqual([all.slice(2), false]);
  await server.api.stop(id);
  const { body: saved } = await tabs.list();
  expect(idsOf({ body: saved } as Answer)).toEqual(all);
  expect(saved.items.map(({ url, active }: { url: string; active: boolean }) => [url, active])).toEqual([
    ['about:blank', false],
    [`${site.origin}/first`, false],
    [`${site.origin}/second`, true],
  ]);
  expect((await tabs.open({})).body.error.code).toBe('BROWSER_NOT_READY');
  await server.api.remove(id);
});

test('no more tabs are opened than the browser may have', async () => {
  await using small = await startServer({ BROWSERD_MAX_TABS: '2' });
  const { id } = (await small.api.create({ policy })).body;
  const open = () => small.api.call('POST', `/v1/browsers/${id}/tabs`, { body: {} });
  expect((await open()).status).toBe(201);
  const refused = await open();
  expect([refused.status, refused.body.error.code]).toEqual([409, 'TOO_MANY_TABS']);
});
