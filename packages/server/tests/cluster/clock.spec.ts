import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockAhead } from '../support/clock-ahead.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { hook, settings, startReceiver } from '../support/receiver.ts';
import { eventually } from '../support/server.ts';

/** Nodes whose clocks differ from that of the database: one is ahead of it, one behind, both within what is not even warned of. */
const leaseMs = 12_000;
const littleMs = 1500;
let cluster: TestCluster;
let ahead: TestNode;
let behind: TestNode;

beforeAll(async () => {
  cluster = await startCluster({
    nodes: 2,
    lease: `${leaseMs}ms`,
    settings,
    each: (index) => clockAhead(index === 0 ? littleMs : -littleMs),
  });
  [ahead, behind] = cluster.nodes as [TestNode, TestNode];
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

interface NodeRow {
  boot: string;
  state: string;
  renewed: string;
  gone: string | null;
}

const nodeRow = async (node: TestNode): Promise<NodeRow | undefined> => {
  const [row] = await cluster.sql<NodeRow & Record<string, unknown>>(
    'select boot_id as boot, state, renewed_at as renewed, gone_at as gone from nodes where id = $1',
    [await node.id()],
  );
  return row;
};

test('the clocks of these nodes are as far apart as the tests want them', async () => {
  const created = [];
  for (const { api } of [behind, ahead]) {
    const { body } = await api.create();
    created.push(Date.parse(body.createdAt));
    await api.remove(body.id);
  }
  const [first = 0, second = 0] = created;
  expect(second - first).toBeGreaterThan(2 * littleMs);
  for (const node of [ahead, behind]) expect(node.process.output()).not.toContain('clock.differs');
});

test.each([
  [40_000, /clock of this machine is \d+\.\d s ahead of that of the database\. .*set the clock right/],
  [20_000, /clock of this machine is \d+\.\d s ahead of that of the database/],
  [-20_000, /clock of this machine is \d+\.\d s behind that of the database/],
])('a node whose clock is off by %d ms does not start, and says so', async (ms, sentence) => {
  const before = await cluster.sql('select count(*) from nodes');
  await expect(cluster.add(clockAhead(ms))).rejects.toThrow(sentence);
  expect(await cluster.sql('select count(*) from nodes')).toEqual(before);
});

test('a node whose clock is a little off keeps its lease', async () => {
  const before = await Promise.all([ahead, behind].map(nodeRow));
  for (const [index, node] of [ahead, behind].entries())
    await eventually(
      () => nodeRow(node),
      (row) => Number(row?.renewed) > Number(before[index]?.renewed) + leaseMs * 1.5,
    );
  const after = await Promise.all([ahead, behind].map(nodeRow));
  expect(after.map((row) => [row?.boot, row?.state])).toEqual(before.map((row) => [row?.boot, 'up']));
  for (const { api } of [ahead, behind]) expect((await api.call('GET', '/health/ready')).status).toBe(200);
});

test('equal creates at nodes whose clocks differ make one browser', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const nodes = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? ahead : behind));
  const answers = await Promise.all(nodes.map(({ api }) => api.create({ name: 'one' }, key)));
  const [first] = answers;
  for (const { status, body } of answers) expect([status, body]).toEqual([201, first?.body]);
  const again = await behind.api.create({ name: 'one' }, key);
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first?.body, 'true']);
  await behind.api.remove(first?.body.id);
});

test('what a webhook is told by nodes whose clocks differ is sent once, also when it had to be sent again', async () => {
  await using receiver = await startReceiver();
  const refused = new Set<string>();
  receiver.answer = ({ id }) => {
    if (refused.has(id)) return 204;
    refused.add(id);
    return 503;
  };
  const { id: webhook } = await hook(ahead.api, { url: receiver.url, events: ['browser.closed'] });
  const closed: string[] = [];
  for (const { api } of [ahead, behind, ahead, behind]) {
    const { body } = await api.create();
    await api.remove(body.id);
    closed.push(body.id);
  }
  await eventually(
    async () =>
      (await behind.api.call('GET', `/v1/webhooks/${webhook}/deliveries?state=delivered`)).body.items,
    (items) => items.length === closed.length,
  );
  const told = receiver.received.map(({ body }) => body.data.browserId as string);
  expect(told.toSorted()).toEqual([...closed, ...closed].toSorted());
  expect(refused.size).toBe(closed.length);
});

test('a node whose clock is ahead is lost when its lease is over by the database’s clock, and not before', async () => {
  const { body } = await ahead.api.create();
  expect(await cluster.holderOf(body.id)).toBe(ahead);
  await ahead.kill();
  const row = await eventually(
    () => nodeRow(ahead),
    (found) => found?.state === 'gone',
  );
  expect(Number(row?.gone) - Number(row?.renewed)).toBeGreaterThanOrEqual(leaseMs);
  const { body: back } = await eventually(
    () => behind.api.get(body.id),
    (answer) => answer.body.status === 'ready' && answer.body.epoch > 1,
  );
  expect(back.node).toBe(await behind.id());
  await behind.api.remove(body.id);
});
