import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BeatingBrowser,
  beatingBrowserOn,
  execute,
  expectNoOverlap,
} from '../support/beating-browser.ts';
import { type BeatingSite, startBeatingSite } from '../support/beating-site.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { type DatabaseRelay, relayDatabase } from '../support/database-relay.ts';
import { eventually } from '../support/server.ts';

/**
 * Who may let bytes of a browser out, seen by the site that its page calls: two nodes on one database, each with a way to it of
 * its own that can be cut.
 */
const leaseMs = 9000;
let site: BeatingSite;
let cluster: TestCluster;
let one: TestNode;
let other: TestNode;
const relays = new Map<TestNode, DatabaseRelay>();
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  site = opened.use(await startBeatingSite());
  cluster = opened.use(await startCluster({ nodes: 0, lease: `${leaseMs}ms` }));
  for (const _ of ['one', 'other']) {
    const relay = opened.use(await relayDatabase(cluster.databaseUrl));
    relays.set(await cluster.add({ BROWSERD_DATABASE_URL: relay.url }), relay);
  }
  [one, other] = cluster.nodes as [TestNode, TestNode];
});
afterAll(() => opened.disposeAsync());

const wayOf = (node: TestNode): DatabaseRelay => relays.get(node) as DatabaseRelay;

const browserOn = (node: TestNode): Promise<BeatingBrowser> => beatingBrowserOn(node, { cluster, site });

const expectOneAtATime = (living: BeatingBrowser, next: string): void => expectNoOverlap(site, living, next);

const recordOf = async (id: string) => {
  const [row] = await cluster.sql<{ status: string; epoch: string; holder: string | null }>(
    'select status, epoch, holder from browsers where id = $1',
    [id],
  );
  return { status: row?.status, epoch: Number(row?.epoch), holder: row?.holder };
};

const bootOf = async (node: TestNode): Promise<string> => {
  const [row] = await cluster.sql<{ boot_id: string }>('select boot_id from nodes where id = $1', [
    await node.id(),
  ]);
  return row?.boot_id ?? '';
};

test('a node that is killed: its browser is ready on the other, with its cookies, under the same address', async () => {
  const living = await browserOn(one);
  await one.kill();
  const next = await site.anotherThan(living.name, [living.life]);
  const { body } = await eventually(
    () => other.api.get(living.id),
    ({ body }) => body.status === 'ready',
  );
  expect(body).toMatchObject({ id: living.id, node: await other.id(), name: living.name });
  expect(await cluster.holderOf(living.id)).toBe(other);
  expect(site.ofLife(next)[0]?.first).toBe(living.life);
  expectOneAtATime(living, next);
  const { body: closed } = await other.api.remove(living.id);
  expect(closed).toMatchObject({ status: 'closed', receipt: { processesEnded: expect.any(Number) } });
  expect(closed.receipt.processesEnded).toBeGreaterThan(0);
  await one.start();
});

test('a node that is cut from the database shuts its gate before others take its browsers', async () => {
  const living = await browserOn(one);
  const boot = await bootOf(one);
  const { exited } = one.process;
  wayOf(one).cut();
  const next = await site.anotherThan(living.name, [living.life]);
  const [row] = await cluster.sql<{ gone_at: string }>('select gone_at from nodes where boot_id = $1', [
    boot,
  ]);
  const last = Math.max(...site.ofLife(living.life).map(({ at }) => at));
  expect(last).toBeLessThan(Number(row?.gone_at));
  expectOneAtATime(living, next);
  wayOf(one).mend();
  expect((await exited).code).toBe(75);
  expectOneAtATime(living, next);
  await other.api.remove(living.id);
  await one.start();
});

test('a database that is away moves no browser: its page waits, and goes on', async () => {
  const living = await browserOn(one);
  const before = await recordOf(living.id);
  for (const node of [one, other]) wayOf(node).cut();
  // Longer than any lease lasts, which is what this is about.
  await sleep(leaseMs * 1.5);
  const stalled = site.ofLife(living.life).at(-1)?.at ?? 0;
  expect(Date.now() - stalled).toBeGreaterThan(leaseMs / 10);
  for (const node of [one, other]) wayOf(node).mend();
  await site.again(living.life);
  // Until the lease of a boot that had not come back would be over as well.
  await sleep(leaseMs * 1.2);
  await site.again(living.life);
  expect(await recordOf(living.id)).toEqual(before);
  expect(site.lives(living.name)).toEqual([living.life]);
  await one.api.remove(living.id);
});

test('a stopped browser is resumed by the node that is asked, and by one of two that are asked at once', async () => {
  const living = await browserOn(one);
  await one.api.stop(living.id);
  expect(await recordOf(living.id)).toMatchObject({ status: 'stopped', holder: null });
  expect((await other.api.patch(living.id, { name: 'moved' })).body.name).toBe('moved');
  expect((await other.api.resume(living.id)).body).toMatchObject({ status: 'ready', name: 'moved' });
  expect(await cluster.holderOf(living.id)).toBe(other);
  const second = await site.anotherThan(living.name, [living.life]);
  expect(site.ofLife(second)[0]?.first).toBe(living.life);
  await other.api.stop(living.id);
  const asked = await Promise.all([one, other].map(({ api }) => api.resume(living.id)));
  expect(asked.map(({ status, body }) => [status, body.status])).toEqual([
    [200, 'ready'],
    [200, 'ready'],
  ]);
  const third = await site.anotherThan(living.name, [living.life, second]);
  await site.again(third);
  expect(site.lives(living.name)).toEqual([living.life, second, third]);
  await one.api.stop(living.id);
  const closed = await Promise.all([one, other].map(({ api }) => api.remove(living.id)));
  expect(closed[0]).toMatchObject({ status: 200, body: { status: 'closed' } });
  expect(closed[1]?.body).toEqual(closed[0]?.body);
  expect(await recordOf(living.id)).toMatchObject({ status: 'closed', holder: null });
});

test('a Chromium of an epoch that the database no longer knows is not used, and ends', async () => {
  const living = await browserOn(one);
  await cluster.sql('update browsers set epoch = epoch + 1 where id = $1', [living.id]);
  const { status, body } = await execute(one, living.id, 'return 1');
  expect([status, body.error?.code]).toEqual([409, 'BROWSER_NOT_READY']);
  const next = await site.anotherThan(living.name, [living.life]);
  expectOneAtATime(living, next);
  await one.api.remove(living.id);
});
