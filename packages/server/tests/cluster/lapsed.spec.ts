import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually } from '../support/server.ts';

/** Two nodes with one place each. Leases are not over within the test: that a service is lost, only its witness says. */
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

test('a create in line leaves it when its time is over, though the node that took it is lost', async () => {
  const running = [];
  for (const node of [first, second]) running.push((await node.api.create()).body.id);
  const lost = running[0];
  expect(await cluster.holderOf(lost)).toBe(first);
  const made = await first.api.create({}, { prefer: 'respond-async, wait=10' });
  expect([made.status, made.body.status]).toEqual([202, 'creating']);
  const { id } = made.body;
  process.kill(await first.servicePid(), 'SIGKILL');
  await first.process.exited;
  const { body } = await eventually(
    () => second.api.get(id),
    ({ body: { status } }) => status === 'closed',
  );
  expect(body.statusReason).toContain('no room in time');
  // What ran on the lost node waits for room for as long as it takes.
  expect((await second.api.get(lost)).body.status).toBe('recovering');
  expect((await second.api.call('GET', '/metrics')).body).toMatch(/^browserd_cluster_queue 1$/m);
});
