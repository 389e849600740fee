import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BeatingSite, startBeatingSite } from '../support/beating-site.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { type DatabaseRelay, relayDatabase } from '../support/database-relay.ts';
import { buildService } from '../support/other-service.ts';
import { eventually } from '../support/server.ts';

/**
 * What the other specs of this folder would see if a protection were missing: beside the service as it is runs one that was built
 * without it, and the same is done to both.
 */
const policy = { privateAccess: { localhost: true } };

describe('a node that does not let leases begin anew after an outage of the database', () => {
  const leaseMs = 12_000;
  const opened = new AsyncDisposableStack();
  const ways = new Map<TestNode, DatabaseRelay>();
  let site: BeatingSite;
  let cluster: TestCluster;
  let whole: TestNode;
  let lacking: TestNode;

  beforeAll(async () => {
    const { service } = opened.use(
      await buildService({
        'store/tables/nodes.ts': [
          ['if (!turn || turn.calmSince >= turn.now - ttlMs) return [];', 'if (!turn) return [];'],
        ],
      }),
    );
    site = opened.use(await startBeatingSite());
    cluster = opened.use(await startCluster({ nodes: 0, lease: `${leaseMs}ms` }));
    for (const how of [{}, { service }]) {
      const way = opened.use(await relayDatabase(cluster.databaseUrl));
      ways.set(await cluster.add({ BROWSERD_DATABASE_URL: way.url }, how), way);
    }
    [whole, lacking] = cluster.nodes as [TestNode, TestNode];
  });
  afterAll(() => opened.disposeAsync());

  const browserOn = async (node: TestNode) => {
    const name = `b${Math.random().toString(36).slice(2)}`;
    const { body } = await node.api.create({ policy, startUrl: site.page(name) });
    expect(await cluster.holderOf(body.id)).toBe(node);
    return { id: body.id as string, name, life: await site.anotherThan(name, []) };
  };
  const nodeRow = async (node: TestNode) => {
    const [row] = await cluster.sql<{ boot: string; state: string; gone: string | null; silent: string }>(
      `select boot_id as boot, state, gone_at as gone,
         (extract(epoch from clock_timestamp()) * 1000)::bigint - renewed_at as silent
       from nodes where id = $1`,
      [await node.id()],
    );
    return { ...row, gone: Number(row?.gone ?? 0), silent: Number(row?.silent) };
  };
  const reaping = async () => {
    const [row] = await cluster.sql<{ at: string; calm: string }>(
      "select at, calm_since as calm from turns where name = 'reap'",
    );
    return { at: Number(row?.at), calm: Number(row?.calm) };
  };
  /** The database is away for both, until every lease would be over. */
  const outage = async () => {
    for (const way of ways.values()) way.cut();
    for (const node of [whole, lacking])
      await eventually(
        () => nodeRow(node),
        ({ silent }) => silent > leaseMs * 1.1,
      );
  };
  const back = (node: TestNode) => ways.get(node)?.mend();

  test('is not the service as it is, which comes back first and buries no node', async () => {
    const living = await browserOn(lacking);
    const { boot } = await nodeRow(lacking);
    await outage();
    const before = await reaping();
    back(whole);
    await eventually(reaping, ({ at }) => at > before.at);
    back(lacking);
    // Past the time that it has given every lease, other nodes are looked at as always.
    await eventually(reaping, ({ at, calm }) => at > calm + leaseMs * 1.2);
    expect(await nodeRow(lacking)).toMatchObject({ boot, state: 'up' });
    await site.again(living.life);
    expect(site.lives(living.name)).toEqual([living.life]);
    await whole.api.remove(living.id);
  });

  test('comes back first and takes the browsers of a node that lost nothing but the database', async () => {
    const living = await browserOn(whole);
    const { exited } = whole.process;
    await outage();
    back(lacking);
    const { gone } = await eventually(
      () => nodeRow(whole),
      ({ state }) => state === 'gone',
    );
    expect(gone - (await reaping()).calm).toBeLessThan(leaseMs);
    await site.anotherThan(living.name, [living.life]);
    expect(await cluster.holderOf(living.id)).toBe(lacking);
    back(whole);
    expect((await exited).code).toBe(75);
    await lacking.api.remove(living.id);
  });
});

test('a node that does not compare epochs drives on a Chromium that the database no longer knows', async () => {
  await using other = await buildService({
    'browsers/browsers-on-node.ts': [
      ['if (running?.epoch !== record.epoch) throw notReady({', 'if (!running) throw notReady({'],
    ],
  });
  // So long a lease that none of them looks by itself what the database knows.
  await using cluster = await startCluster({ nodes: 1, lease: '10m' });
  const [whole] = cluster.nodes as [TestNode];
  const lacking = await cluster.add({}, { service: other.service });
  const answers = [];
  for (const node of [whole, lacking]) {
    const { id } = (await node.api.create()).body;
    expect(await cluster.holderOf(id)).toBe(node);
    await cluster.sql('update browsers set epoch = epoch + 1 where id = $1', [id]);
    const { status, body } = await node.api.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: { code: 'return 6 * 7' },
    });
    answers.push([status, body.error?.code ?? body.result]);
  }
  expect(answers).toEqual([
    [409, 'BROWSER_NOT_READY'],
    [200, 42],
  ]);
});
