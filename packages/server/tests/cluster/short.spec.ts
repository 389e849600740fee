import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { filesIn, processesOf } from '../support/leaks.ts';
import { untilStatus } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/**
 * What several nodes promise above all. Their lease is not over within a test: that a node is lost, only its witness says.
 * The other specs of this folder are run by `npm run test:cluster`.
 */
let cluster: TestCluster;
let site: Site;
let one: TestNode;
let other: TestNode;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  [cluster, site] = await Promise.all([startCluster({ nodes: 2, witness: true, lease: '10m' }), startSite()]);
  [one, other] = cluster.nodes as [TestNode, TestNode];
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.close();
});

const execute = (node: TestNode, id: string, code: string) =>
  node.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });

test('a browser is driven, changed and closed through a node that does not hold it', async () => {
  const { body: made } = await one.api.create({ policy });
  expect(await cluster.holderOf(made.id)).toBe(one);
  const goes = `await page.goto('${site.origin}/other'); return page.title()`;
  expect((await execute(other, made.id, goes)).body).toMatchObject({ result: 'other' });
  await other.api.patch(made.id, { policy: { ...policy, blockedDomains: ['127.0.0.1'] } });
  expect((await execute(one, made.id, goes)).body.error).toMatchObject({ code: 'POLICY_BLOCKED' });
  const { body: closed } = await other.api.remove(made.id);
  expect(closed.receipt.processesEnded).toBeGreaterThan(0);
  const left = await filesIn(one.folders.scratchDir);
  expect(left.filter((name) => name.includes(made.id))).toEqual([]);
});

test('a service that is killed loses its browsers to the other node at once, cookies included', async () => {
  const cookies = [{ name: 'kept', value: 'yes', url: site.origin }];
  const { body: made } = await one.api.create({ policy, cookies });
  expect(await cluster.holderOf(made.id)).toBe(one);
  process.kill(await one.servicePid(), 'SIGKILL');
  expect(await one.process.exited).toEqual({ code: 137, signal: null });
  const { body: back } = await untilStatus(other.api, made.id, 'ready');
  expect(back).toMatchObject({ id: made.id, node: await other.id() });
  const read = `return (await context.cookies('${site.origin}')).map(({ value }) => value)`;
  expect((await execute(other, made.id, read)).body).toMatchObject({ result: ['yes'] });
  expect(processesOf(one.folders.scratchDir)).toEqual([]);
  await one.start();
  expect((await execute(one, made.id, read)).body).toMatchObject({ result: ['yes'] });
  await one.api.remove(made.id);
});
