import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/records.ts';
import { chromiumOf, filesIn, processesOf, profileOf } from '../support/leaks.ts';
import {
  eventually,
  makeFolders,
  type ServerProcess,
  spawnServer,
  startServer,
  type TestServer,
  untilStatus,
} from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';
import { eventsOf, withStore } from '../support/stored.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const open = { policy: { privateAccess: { localhost: true } } };

async function browserWithState(api: ServerProcess['api'], name: string): Promise<string> {
  const { body } = await api.create({ ...open, startUrl: `${site.origin}/state?name=${name}` });
  await eventually(
    () => api.status(body.id),
    ({ body: status }) => status.activeTab?.title === `kept ${name}`,
  );
  return body.id;
}

describe('Chromium is killed', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ BROWSERD_CHECKPOINT_INTERVAL: '50ms' });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const chromiumsOf = (id: string): number[] => chromiumOf(profileOf(server.scratchDir, id));

  test('permissions hold in the new one, and a dialog that was open is dismissed', async () => {
    const { api } = server;
    const { body } = await api.create({ ...open, dialogs: 'manual', startUrl: `${site.origin}/alert` });
    const path = `/v1/browsers/${body.id}`;
    const dialogs = () => api.call('GET', `${path}/dialogs`);
    await eventually(dialogs, ({ body: page }) => page.items[0]?.state === 'open');
    const permissions = { permissions: { midi: 'granted' } };
    await api.call('POST', `${path}/permissions`, { body: { origin: site.origin, ...permissions } });
    const savedDialogs = (store: Store) =>
      store.checkpoints.get(body.id).then((saved) => saved?.data.dialogs);
    await eventually(
      () => withStore(server.dataDir, savedDialogs),
      (saved) => Array.isArray(saved) && saved.length === 1,
    );
    process.kill(chromiumsOf(body.id)[0] as number, 'SIGKILL');
    await eventually(
      () => api.get(body.id),
      ({ body: browser }) => browser.epoch === 2 && browser.status === 'ready',
    );
    // The page asks again.
    const { items } = (await eventually(dialogs, ({ body: page }) => page.items.length === 2)).body;
    expect(items).toMatchObject([{ state: 'open' }, { state: 'dismissed', closedBy: 'browser' }]);
    await api.call('POST', `${path}/dialogs/${items[0].id}`, { body: { action: 'accept' } });
    const code =
      "return page.evaluate(() => navigator.permissions.query({ name: 'midi' }).then(({ state }) => state))";
    const { body: execution } = await api.call('POST', `${path}/script/execute`, { body: { code } });
    expect(execution.result).toBe('granted');
    const closed = (await eventsOf(server.dataDir, body.id)).filter(({ type }) => type === 'dialog.closed');
    expect(closed.map(({ data }) => data.closedBy)).toEqual(['browser', 'caller']);
    await api.remove(body.id);
  });

  test('the browser is ready again under the same id with cookies, storage and tabs, and an event says what was lost', async () => {
    const { api } = server;
    const id = await browserWithState(api, 'crash');
    await eventually(
      () => savedState(server.dataDir, id),
      ({ cookies, origins }) => cookies === 2 && origins === 1,
    );
    const before = (await api.status(id)).body;
    const report = site.nextReport(({ name }) => name === 'crash');
    const [pid] = chromiumsOf(id);
    process.kill(pid as number, 'SIGKILL');

    const kept = await report;
    expect(kept.cookies).toContain('session_kept=yes');
    expect(kept).toMatchObject({ localStorage: 'in-local-storage', indexedDb: 'in-indexed-db' });
    const { body } = await untilStatus(api, id, 'ready');
    expect(body).toMatchObject({ id, epoch: 2, tabs: 1 });
    expect((await api.status(id)).body.activeTab.tabId).toBe(before.activeTab.tabId);

    const events = await eventsOf(server.dataDir, id);
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining(['browser.created', 'browser.ready', 'browser.recovering', 'browser.recovered']),
    );
    const recovered = events.find((event) => event.type === 'browser.recovered');
    expect(recovered?.data).toMatchObject({
      epoch: 2,
      lost: expect.arrayContaining([expect.stringContaining('memory')]),
    });
    await api.remove(id);
  });

  test('a browser whose Chromium dies again and again fails, and can still be deleted', async () => {
    await using own = await startServer();
    const { api, scratchDir } = own;
    const { body: browser } = await api.create();
    let killed = 0;
    await eventually(
      async () => {
        const { body } = await api.get(browser.id);
        const [pid] = body.status === 'ready' && body.epoch === killed + 1 ? chromiumOf(scratchDir) : [];
        if (pid) {
          process.kill(pid, 'SIGKILL');
          killed++;
        }
        return body;
      },
      (body) => body.status === 'failed',
    );
    expect(killed).toBe(6);
    expect((await api.get(browser.id)).body.statusReason).toContain('without progress');
    expect((await api.resume(browser.id)).body.error.nextStep).toBe('create_browser');
    expect((await api.remove(browser.id)).status).toBe(200);
    expect(await filesIn(scratchDir)).toEqual([]);
  });

  test('a warm Chromium that dies is replaced before a caller notices', async () => {
    await using pooled = await startServer({ BROWSERD_POOL_SIZE: '1' });
    const { api, scratchDir } = pooled;
    const [first] = await eventually(
      async () => chromiumOf(scratchDir),
      (pids) => pids.length === 1,
    );
    process.kill(first as number, 'SIGKILL');
    await eventually(
      async () => chromiumOf(scratchDir),
      (pids) => pids.length === 1 && pids[0] !== first,
    );
    expect((await api.create()).status).toBe(201);
  });
});

describe('the service is killed', () => {
  test('open browsers are ready again after a new start, with their cookies and tabs, and a create whose answer was lost is found by its idempotency key', async () => {
    await using folders = await makeFolders({
      BROWSERD_CHECKPOINT_INTERVAL: '50ms',
    });
    const { env, scratchDir } = folders;
    const first = await spawnServer(env);
    const names = ['one', 'two', 'three'];
    const ids = await Promise.all(names.map((name) => browserWithState(first.api, name)));
    const stopped = (await first.api.create({ name: 'stopped' })).body.id;
    await first.api.stop(stopped);
    for (const id of ids)
      await eventually(
        () => savedState(folders.dataDir, id),
        ({ cookies, origins }) => cookies === 2 && origins === 1,
      );
    const reports = names.map((wanted) => site.nextReport(({ name }) => name === wanted));
    const headers = { 'idempotency-key': 'over-the-crash' };
    const lost = first.api.create({ name: 'once' }, headers).catch(() => undefined);
    const namedOnce = async (api: ServerProcess['api']): Promise<string[]> => {
      const { body } = await api.call('GET', '/v1/browsers');
      return body.items.flatMap(({ id, name }: { id: string; name: string }) =>
        name === 'once' ? [id] : [],
      );
    };
    await eventually(
      () => namedOnce(first.api),
      (found) => found.length === 1,
    );
    first.child.kill('SIGKILL');
    await Promise.all([first.exited, lost]);
    await eventually(
      async () => processesOf(scratchDir),
      (left) => left.length === 0,
    );

    const second = await startServer(env);
    for (const [index, id] of ids.entries()) {
      const { body } = await untilStatus(second.api, id, 'ready');
      expect(body.epoch).toBe(2);
      const kept = await reports[index];
      expect(kept?.cookies).toContain('session_kept=yes');
      expect(kept).toMatchObject({ localStorage: 'in-local-storage', indexedDb: 'in-indexed-db' });
    }
    expect((await second.api.get(stopped)).body.status).toBe('stopped');
    expect((await second.api.resume(stopped)).body.status).toBe('ready');
    const answer = await second.api.create({ name: 'once' }, headers);
    expect(answer).toMatchObject({ status: 201, body: { name: 'once', status: 'ready' } });
    expect(await namedOnce(second.api)).toEqual([answer.body.id]);

    await second[Symbol.asyncDispose]();
    expect(processesOf(scratchDir)).toEqual([]);
    expect(await filesIn(scratchDir)).toEqual([]);
  });
});

/** Cookies and local storage are saved apart from each other. */
const savedState = (dataDir: string, id: string): Promise<{ cookies: number; origins: number }> =>
  withStore(dataDir, async (store) => ({
    cookies: ((await store.checkpoints.get(id))?.data.cookies as unknown[])?.length ?? 0,
    origins: (await store.localStorage.sizes(id)).length,
  }));
