import { totalmem } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** Takes as many megabytes as its address says and touches them, as fast as it can. */
const greedy = `<!doctype html><title>greedy</title><script>
const taken = [];
const take = (mb) => taken.push(new Uint8Array(mb * 1024 * 1024).fill(1));
if (location.hash) setTimeout(() => { for (let left = Number(location.hash.slice(1)); left > 0; left -= 64) take(64) }, 100);
</script>`;

let site: Site;
beforeAll(async () => {
  site = await startSite({ '/greedy': greedy });
});
afterAll(() => site.close());

describe.each(['strict', 'process'])('in %s mode', (isolation) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      BROWSERD_ISOLATION: isolation === 'strict' ? 'auto' : isolation,
      BROWSERD_BROWSER_MEMORY_MB: '384',
      BROWSERD_MAX_BROWSER_MEMORY_MB: '4096',
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const policy = { privateAccess: { localhost: true } };
  const run = (id: string, code: string) =>
    server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
  const eventsOf = async (id: string, type: string) =>
    (await server.api.call('GET', `/v1/browsers/${id}/events?type=${type}&limit=100`)).body.items;

  test('memoryMb is shown, has the default of the server, and no create gets more than the server allows', async () => {
    const { api } = server;
    const [usual, asked] = await Promise.all([api.create(), api.create({ memoryMb: 512 })]);
    expect([usual.body.memoryMb, asked.body.memoryMb]).toEqual([384, 512]);
    expect((await api.create({ memoryMb: 5000 })).body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        issues: [{ path: 'memoryMb', reason: 'a browser on this server may use at most 4096 MiB' }],
      },
    });
    expect((await api.create({ memoryMb: 100 })).status).toBe(400);
    await Promise.all([api.remove(usual.body.id), api.remove(asked.body.id)]);
  });

  test('a page that takes more memory than its browser may is ended, and the browser goes on', async () => {
    const { api } = server;
    const { id } = (await api.create({ policy, startUrl: `${site.origin}/` })).body;
    const { body } = await run(
      id,
      `const other = await context.newPage();
     await other.goto('${site.origin}/greedy#3000', { waitUntil: 'commit' });
     await other.waitForTimeout(100000)`,
    );
    expect(body.error).toMatchObject({
      code: 'PAGE_CRASHED',
      message: expect.stringContaining('out of memory'),
      details: { reason: expect.stringMatching(/^out of memory: the browser used \d+ MB and may use 384/) },
    });
    const [crashed] = await eventually(
      () => eventsOf(id, 'tab.crashed'),
      (items) => items.length > 0,
    );
    expect(crashed.data).toMatchObject({
      url: `${site.origin}/greedy#3000`,
      reason: body.error.details.reason,
    });
    const [limited] = await eventsOf(id, 'browser.limited');
    expect(limited.data).toMatchObject({ limit: 'memory', limitBytes: 384 * 1024 ** 2 });
    // long before it had all that it wanted, and before the machine had less left than it needs
    expect(limited.data.usedBytes).toBeLessThan(Math.min(2.5 * 1024 ** 3, totalmem() / 2));
    expect((await api.get(id)).body).toMatchObject({ status: 'ready', epoch: 1 });
    expect((await api.status(id)).body.tabs[0]).toMatchObject({ title: 'home' });
    const shot = await api.call('POST', `/v1/browsers/${id}/screenshot`, {
      body: { tabId: crashed.data.tabId },
    });
    expect(shot.body.error).toMatchObject({
      code: 'PAGE_CRASHED',
      details: { reason: crashed.data.reason },
    });
    await api.remove(id);
  });

  test('a quick action on such a page fails with the reason', async () => {
    const { body } = await server.api.call('POST', '/v1/scrape', {
      body: { url: `${site.origin}/greedy#3000`, policy, waitFor: 8000 },
    });
    expect(body.error).toMatchObject({
      code: 'PAGE_CRASHED',
      details: { reason: expect.stringContaining('out of memory') },
    });
  });
});
