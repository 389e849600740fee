import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { untilStatus } from '../support/server.ts';

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

  test('a service that is killed loses its browsers to the other node at once', async () => {
    const { body: lost } = await first.api.create({ name: 'lost' });
    expect(await heldBy(first)).toEqual([lost.id]);
    process.kill(await first.servicePid(), 'SIGKILL');
    expect(await first.process.exited).toEqual({ code: 137, signal: null });
    const { body: back } = await untilStatus(second.api, lost.id, 'ready');
    expect(back).toMatchObject({ name: 'lost', node: await second.id() });
    await second.api.remove(lost.id);
    await first.start();
  });
});
