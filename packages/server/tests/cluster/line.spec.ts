import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Access } from '../../src/access/access.ts';
import { createLog } from '../../src/kit/log.ts';
import { openStore } from '../../src/store/store.ts';
import type { Api } from '../support/client.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually, untilStatus } from '../support/server.ts';

const later = { prefer: 'respond-async, wait=600' };

/**
 * Two nodes with one place each. Their lease is not over within a test: that a node is lost, only its witness says.
 */
describe('nodes below witnesses', () => {
  let cluster: TestCluster;
  let first: TestNode;
  let second: TestNode;
  beforeAll(async () => {
    cluster = await startCluster({
      nodes: 2,
      witness: true,
      lease: '10m',
      settings: { BROWSERD_MAX_BROWSERS: '1', BROWSERD_MAX_BROWSERS_PER_PROJECT: '4' },
    });
    [first, second] = cluster.nodes as [TestNode, TestNode];
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  const heldBy = async (node: TestNode): Promise<string[]> => {
    const rows = await cluster.sql<{ id: string }>(
      'select b.id from browsers b join nodes n on n.boot_id = b.holder where n.id = $1 order by b.id',
      [await node.id()],
    );
    return rows.map(({ id }) => id);
  };

  const keyOfAnother = async (): Promise<string> => {
    const store = await openStore({ databaseUrl: cluster.databaseUrl, dataDir: first.folders.dataDir });
    const access = new Access({ store, log: createLog('silent') });
    const { id } = await access.ensureProject('another');
    const { key } = await access.createKey(id, { name: 'another', role: 'admin' });
    await store.close();
    return key;
  };

  const position = async (api: Api, id: string): Promise<number | undefined> =>
    (await api.get(id)).body.queue?.position;

  test('creates wait in one line for all nodes, which goes on when the node that took them is killed', async () => {
    const small = second.api.as(await keyOfAnother());
    for (const node of [first, second]) expect((await node.api.create()).status).toBe(201);
    const [lost = ''] = await heldBy(first);
    const [other = ''] = await heldBy(second);
    expect(await second.api.create()).toMatchObject({ status: 429 });

    const line: string[] = [];
    for (const name of ['one', 'two']) {
      const { status, body } = await first.api.create({ name }, later);
      expect([status, body.status]).toEqual([202, 'creating']);
      line.push(body.id);
    }
    const { body: single } = await small.create({ name: 'single' }, later);
    const waited = first.api
      .create({ name: 'waited' }, { prefer: 'wait=600', 'idempotency-key': 'waited' })
      .catch((error: Error) => error.message);
    await eventually(
      () => cluster.sql('select id from browsers where holder is null and status = $1', ['creating']),
      (rows) => rows.length === 4,
    );
    const places = await Promise.all(line.map((id) => position(first.api, id)));
    expect(await Promise.all(line.map((id) => position(second.api, id)))).toEqual(places);
    expect(places).toEqual([1, 3]);
    expect(await position(small, single.id)).toBe(2);

    process.kill(await first.servicePid(), 'SIGKILL');
    await first.process.exited;
    expect(await waited).toBe('fetch failed');
    // Its own node might be back in a moment, and has a head start.
    await eventually(
      () =>
        cluster.sql(
          'select id from browsers where id = $1 and queued_at < extract(epoch from clock_timestamp()) * 1000 - 1000',
          [lost],
        ),
      (rows) => rows.length === 1,
    );
    // What was running is first in line; then the projects take turns.
    await second.api.remove(other);
    for (const id of [lost, line[0] ?? '']) {
      await untilStatus(second.api, id, 'ready');
      await second.api.remove(id);
    }
    await untilStatus(small, single.id, 'ready');

    // The caller whose node was lost asks again, and finds the place that it has.
    const again = await second.api.create({ name: 'waited' }, { ...later, 'idempotency-key': 'waited' });
    expect(again).toMatchObject({ status: 202, body: { name: 'waited' } });
    expect(await cluster.sql('select id from browsers where name = $1', ['waited'])).toEqual([
      { id: again.body.id },
    ]);
  });

  test('a wait that is over leaves the line', async () => {
    const { status } = await second.api.create({ name: 'impatient' }, { prefer: 'wait=1' });
    expect(status).toBe(429);
    const [row] = await cluster.sql('select status, status_reason from browsers where name = $1', [
      'impatient',
    ]);
    expect(row).toEqual({ status: 'closed', status_reason: expect.stringContaining('no room in time') });
  });
});
