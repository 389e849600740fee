import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';
import { withStore } from '../support/stored.ts';

/** Opens windows, as many as its address says. */
const opener = `<!doctype html><title>opener</title><script>
for (let n = 0; n < Number(location.hash.slice(1)); n++) window.open('/other?' + n);
</script>`;
/** Changes its own address as often as it can for a second. */
const pusher = `<!doctype html><title>pusher</title><script>
const until = performance.now() + 1000;
let n = 0;
const push = () => {
  for (let each = 0; each < 20; each++) history.replaceState(0, '', '?' + ++n + '#' + 'x'.repeat(5000));
  if (performance.now() < until) setTimeout(push, 1);
  else document.title = 'pushed';
};
push();
</script>`;

let server: TestServer;
let site: Site;
beforeAll(async () => {
  site = await startSite({ '/opener': opener, '/pusher': pusher });
  server = await startServer({ BROWSERD_MAX_TABS: '6', BROWSERD_CHECKPOINT_INTERVAL: '50ms' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const policy = { privateAccess: { localhost: true } };
const run = (id: string, code: string) =>
  server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
const eventsOf = async (id: string, type: string) =>
  (await server.api.call('GET', `/v1/browsers/${id}/events?type=${type}&limit=100`)).body.items;

test('windows that a page opens beyond the limits are closed at once and told as a number, and callers get an error', async () => {
  const { api } = server;
  const { id } = (await api.create({ policy, startUrl: `${site.origin}/opener#20` })).body;
  const limits = await eventually(
    () => eventsOf(id, 'browser.limited'),
    (items) =>
      items.reduce((sum: number, { data }: { data: { count: number } }) => sum + data.count, 0) === 15,
  );
  expect(limits[0].data).toMatchObject({
    limit: expect.stringMatching(/^(tabs|popups)$/),
    tabId: expect.stringMatching(/^[0-9A-F]{32}$/),
  });
  expect(limits.length).toBeLessThan(20);
  await expect.poll(async () => (await api.status(id)).body.tabs.length).toBe(6);
  await expect.poll(async () => (await api.get(id)).body.tabs).toBe(6);
  await expect.poll(async () => (await eventsOf(id, 'tab.opened')).length).toBe(5);
  const { body } = await run(id, 'await context.newPage()');
  expect(body.error).toMatchObject({
    code: 'TOO_MANY_TABS',
    message: 'The browser has as many tabs as it may (6). Close one first.',
    category: 'limit',
  });
  const { body: again } = await run(
    id,
    'await context.pages()[1].close(); await context.newPage(); return context.pages().length',
  );
  expect([again.error, again.result]).toEqual([undefined, 6]);
  await api.remove(id);
});

test('an address of megabytes is told and kept cut; one of tens of thousands of characters comes back', async () => {
  const { api } = server;
  const { id } = (await api.create({ policy, startUrl: `${site.origin}/` })).body;
  const code = `
    await page.evaluate(() => history.replaceState(0, '', '/other?' + 'k'.repeat(30000)));
    const other = await context.newPage();
    await other.goto('${site.origin}/other');
    await other.evaluate(() => {
      history.replaceState(0, '', '/other#' + 'x'.repeat(1500000));
      document.title = 't'.repeat(100000);
    });`;
  expect((await run(id, code)).body.success).toBe(true);
  const { tabs } = (
    await eventually(
      () => api.status(id),
      ({ body }) => body.tabs[1]?.url.length > 8000,
    )
  ).body;
  expect(tabs.map(({ url }: { url: string }) => url.length)).toEqual([8192, 8192]);
  expect(tabs[1].title.length).toBeLessThanOrEqual(1024);
  for (const { data } of await eventsOf(id, 'tab.navigated'))
    expect(data.url.length).toBeLessThanOrEqual(2048);

  await api.stop(id);
  const saved = await withStore(server.dataDir, (store) => store.checkpoints.get(id));
  expect(JSON.stringify(saved?.data).length).toBeLessThan(60_000);
  await api.resume(id);
  const [resumed] = await eventsOf(id, 'browser.ready');
  expect(resumed.data.lost).toEqual(['the addresses of 1 tabs: they were longer than 65536 characters']);
  const { body } = await run(
    id,
    'return context.pages().map((each) => each.url().length).sort((a, b) => a - b)',
  );
  expect(body.result).toEqual(['about:blank'.length, `${site.origin}/other?`.length + 30_000]);
  await api.remove(id);
});

test('a page that changes its own address all the time adds few events, the last of which has its latest address', async () => {
  const { api } = server;
  const { id } = (await api.create({ policy, startUrl: `${site.origin}/pusher` })).body;
  await eventually(
    () => api.status(id),
    ({ body }) => body.activeTab.title === 'pushed',
  );
  const { url } = (await api.status(id)).body.activeTab;
  const events = await eventually(
    () => eventsOf(id, 'tab.navigated'),
    ([last]) => last.data.url === url.slice(0, 2048),
  );
  const skipped = events.reduce(
    (sum: number, { data }: { data: { skipped?: number } }) => sum + (data.skipped ?? 0),
    0,
  );
  expect(skipped).toBeGreaterThan(50);
  expect(events.length).toBeLessThan(skipped);
  await api.remove(id);
});
