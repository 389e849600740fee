import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectWithKey } from '../support/cdp-client.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** What callers of another node see when the node that holds their browser is killed in the middle of their calls. */
let cluster: TestCluster;
let site: Site;
let home: TestNode;
let other: TestNode;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  [cluster, site] = await Promise.all([startCluster({ nodes: 2, lease: '10s' }), startSite()]);
  [home, other] = cluster.nodes as [TestNode, TestNode];
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.close();
});

test('a script is not run twice, and everything works again at the same address', async () => {
  const { id } = (await home.api.create({ policy, startUrl: `${site.origin}/other` })).body;
  expect(await cluster.holderOf(id)).toBe(home);
  const execute = (code: string) =>
    other.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
  const asked = (path: string) => site.requests.filter(({ url }) => url === path).length;

  const client = await connectWithKey(other.api, id);
  // It waits at a gate that stays shut.
  const running = execute(`await context.request.get('${site.origin}/gate?script')`);
  await expect.poll(() => asked('/gate?script')).toBe(1);
  await home.kill();

  const { status, body } = await running;
  expect([status, body.error]).toMatchObject([503, { code: 'NODE_LOST', nextStep: 'observe' }]);
  expect(await client.closed).toMatchObject({ code: 1012, reason: expect.stringMatching(/^NODE_LOST/) });

  const back = await eventually(
    () => other.api.get(id),
    (answer) => answer.body.status === 'ready' && answer.body.epoch > 1,
  );
  expect(back.body.id).toBe(id);
  expect(await cluster.holderOf(id)).toBe(other);
  expect((await execute('return 6 * 7')).body.result).toBe(42);
  const again = await connectWithKey(other.api, id);
  expect(await again.send('Browser.getVersion')).toMatchObject({ protocolVersion: '1.3' });
  again.socket.close();
  expect(asked('/gate?script')).toBe(1);
});
