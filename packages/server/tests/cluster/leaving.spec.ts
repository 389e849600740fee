import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually, untilStatus } from '../support/server.ts';

const run = (api: Api, id: string, code: string) =>
  api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });

/** Two nodes; the tests leave both running, and no browser. */
describe('a node that goes', () => {
  let cluster: TestCluster;
  let first: TestNode;
  let second: TestNode;
  beforeAll(async () => {
    cluster = await startCluster({ nodes: 2, settings: { BROWSERD_MAX_BROWSERS: '4' } });
    [first, second] = cluster.nodes as [TestNode, TestNode];
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  const removeAll = async (api: Api) => {
    for (const { id } of (await api.call('GET', '/v1/browsers?status=ready')).body.items)
      expect((await api.remove(id)).status).toBe(200);
  };

  test('is stopped: its browsers go on elsewhere, and a call that was under way has its answer', async () => {
    const { body: moved } = await first.api.create({ name: 'moved' });
    expect(await cluster.holderOf(moved.id)).toBe(first);
    expect(
      (
        await run(
          first.api,
          moved.id,
          `await context.addCookies([{ name: 'kept', value: '1', url: 'http://site.test' }]);`,
        )
      ).body,
    ).toMatchObject({ success: true });
    const long = run(first.api, moved.id, 'await sleep(1500); return "finished";');
    await eventually(
      () =>
        cluster.sql<{ last: string }>('select last_action_at as last from browsers where id = $1', [
          moved.id,
        ]),
      () => true,
    );
    const stopped = first.stop();
    expect((await long).body).toMatchObject({ success: true, result: 'finished' });
    expect(await stopped).toMatchObject({ code: 0 });
    const { body: back } = await untilStatus(second.api, moved.id, 'ready');
    expect(back).toMatchObject({ name: 'moved', node: await second.id() });
    expect(await cluster.holderOf(moved.id)).toBe(second);
    const cookies = await run(
      second.api,
      moved.id,
      'return (await context.cookies()).map(({ name }) => name);',
    );
    expect(cookies.body).toMatchObject({ result: ['kept'] });
    const [row] = await cluster.sql('select recoveries, service_deaths from browsers where id = $1', [
      moved.id,
    ]);
    expect(row).toEqual({ recoveries: '0', service_deaths: '0' });
    await first.start();
    await removeAll(second.api);
  });

  test('shows that it drains, and creates that it is asked for are made elsewhere', async () => {
    const { body: waiting } = await first.api.create();
    const long = run(first.api, waiting.id, 'await sleep(3000); return 1;');
    const stopped = first.stop();
    const ready = await eventually(
      () => first.api.call('GET', '/health/ready'),
      ({ status }) => status === 503,
    );
    expect(ready.body).toMatchObject({ status: 'draining', checks: { lease: { ok: true } } });
    const made = await first.api.create();
    expect(made).toMatchObject({ status: 201, body: { node: await second.id() } });
    expect((await long).body).toMatchObject({ result: 1 });
    await stopped;
    await untilStatus(second.api, waiting.id, 'ready');
    await first.start();
    await removeAll(second.api);
  });

  test('and finds no room elsewhere stops what it cannot hand over', async () => {
    const full = [];
    for (let i = 0; i < 8; i++) full.push((await (i % 2 ? second : first).api.create()).body.id);
    const mine = await cluster.sql<{ id: string }>(
      'select b.id from browsers b join nodes n on n.boot_id = b.holder where n.id = $1',
      [await first.id()],
    );
    expect(mine).toHaveLength(4);
    await first.stop();
    for (const { id } of mine) expect((await second.api.get(id)).body.status).toBe('stopped');
    await first.start();
    for (const id of full) await second.api.remove(id);
  });
});
