import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotMount, mountSmallDisk, type SmallDisk } from '../support/full-disk.ts';
import { filesIn } from '../support/leaks.ts';
import { eventually, startServer, type TestServer, untilStatus } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/**
 * Writes megabytes into its profile, four at a time, as many as its address says. It takes its time, and before each piece it
 * asks the site, through the service: where the machine is so busy that the service cannot look, the page waits as well.
 */
const writer = `<!doctype html><title>writer</title><script>
const block = new Uint8Array(4 * 1024 * 1024).fill(7);
(async () => {
  const root = await navigator.storage.getDirectory();
  for (let n = 0; n < Number(location.hash.slice(1)); n += 4) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fetch('/?' + n);
    const file = await root.getFileHandle('file' + n, { create: true });
    const writable = await file.createWritable();
    await writable.write(block);
    await writable.close();
  }
})();
</script>`;

const policy = { privateAccess: { localhost: true } };
let site: Site;
beforeAll(async () => {
  site = await startSite({ '/writer': writer });
});
afterAll(() => site.close());

const reasonsOf = async ({ api }: TestServer, id: string, type: string): Promise<string[]> => {
  const { body } = await api.call('GET', `/v1/browsers/${id}/events?type=${type}`);
  return body.items.map(({ data }: { data: { reason: string } }) => data.reason);
};

describe('a quota', () => {
  test('a browser that takes more disk than it may fails with the reason, and its profile is gone', async () => {
    await using server = await startServer({ BROWSERD_BROWSER_DISK: '48MiB' });
    const { api, scratchDir, exchangeDir } = server;
    const neighbour = (await api.create({ policy, startUrl: `${site.origin}/writer#8` })).body.id;
    const { id } = (await api.create({ policy, startUrl: `${site.origin}/writer#2000` })).body;
    const { body } = await untilStatus(api, id, 'failed');
    const why =
      /^Chromium was ended, because its profile and exchange folder took \d+ MiB of disk and may take 48/;
    expect(body.statusReason).toMatch(why);
    for (const type of ['browser.recovering', 'browser.failed'])
      expect(await reasonsOf(server, id, type)).toEqual([body.statusReason]);
    const { body: refused } = await api.resume(id);
    expect(refused.error).toMatchObject({ code: 'BROWSER_NOT_READY', nextStep: 'create_browser' });
    // its own two are gone: what is left is the neighbour's folder and link, and its exchange
    await expect.poll(async () => (await filesIn(scratchDir)).length).toBe(2);
    await expect.poll(async () => (await filesIn(exchangeDir)).length).toBe(1);
    expect((await api.get(neighbour)).body).toMatchObject({ status: 'ready', epoch: 1 });
    await Promise.all([api.remove(neighbour), api.remove(id)]);
  });

  test('browsers of one project that take more than it may lose the one that takes the most', async () => {
    // Whenever the service looks, the large one takes the most: the small one is done long before the two are over 48.
    await using server = await startServer({
      BROWSERD_BROWSER_DISK: '256MiB',
      BROWSERD_PROJECT_DISK: '48MiB',
    });
    const { api } = server;
    const small = (await api.create({ policy, startUrl: `${site.origin}/writer#8` })).body.id;
    const large = (await api.create({ policy, startUrl: `${site.origin}/writer#80` })).body.id;
    const { body } = await untilStatus(api, large, 'failed');
    expect(body.statusReason).toContain('the browsers of its project took');
    expect((await api.get(small)).body.status).toBe('ready');
    await Promise.all([api.remove(small), api.remove(large)]);
  });
});

describe.skipIf(cannotMount)(`profiles in memory${cannotMount ? ` (skipped: ${cannotMount})` : ''}`, () => {
  let server: TestServer;
  let memory: SmallDisk;
  beforeAll(async () => {
    memory = await mountSmallDisk(192);
    server = await startServer({
      BROWSERD_SCRATCH_DIR: join(memory.folder, 'scratch'),
      // New profiles lie there while 140 MiB are left, and the largest goes when 105 are not: Chromium would let the page have more.
      BROWSERD_STORAGE_RESERVE: '70MiB',
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await memory[Symbol.asyncDispose]();
  });

  test('a page that fills them ends its own browser; others start and go on, and the service is ready throughout', async () => {
    const { api, exchangeDir } = server;
    const neighbour = (await api.create({ policy, startUrl: `${site.origin}/` })).body.id;
    const { id } = (await api.create({ policy, startUrl: `${site.origin}/writer#2000` })).body;
    const readiness: number[] = [];
    const { body } = await eventually(
      async () => {
        readiness.push((await api.call('GET', '/health/ready')).status);
        return api.get(id);
      },
      (answer) => answer.body.status === 'failed',
    );
    expect(body.statusReason).toContain(
      'the memory that profiles lie in is almost full, and its profile took the most',
    );
    expect(new Set(readiness)).toEqual(new Set([200]));
    expect((await api.get(neighbour)).body).toMatchObject({ status: 'ready', epoch: 1 });

    await memory.fill(120 * 1024 ** 2);
    const kept = site.nextReport();
    const { id: onDisk } = (await api.create({ policy, startUrl: `${site.origin}/state?name=onDisk` })).body;
    expect(await filesIn(`${exchangeDir}-profiles`)).toContain(onDisk);
    await kept;
    expect((await api.stop(onDisk)).body.status).toBe('stopped');
    expect(await filesIn(`${exchangeDir}-profiles`)).toEqual([]);
    const back = site.nextReport();
    expect((await api.resume(onDisk)).body.status).toBe('ready');
    expect((await back).indexedDb).toBe('in-indexed-db');
    expect((await api.call('GET', '/health/ready')).status).toBe(200);
    await memory.empty();
    await Promise.all([neighbour, id, onDisk].map((each) => api.remove(each)));
    expect(await filesIn(`${exchangeDir}-profiles`)).toEqual([]);
  });
});
