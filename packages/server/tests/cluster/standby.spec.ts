import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BeatingSite, startBeatingSite } from '../support/beating-site.ts';
import { connectWithKey } from '../support/cdp-client.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { type DatabaseRelay, relayDatabase } from '../support/database-relay.ts';
import { type Replicated, startReplicated } from '../support/postgres-standby.ts';
import { eventually } from '../support/server.ts';

/** Two nodes on a PostgreSQL with a synchronous standby, at an address that leads to whichever of the two is the primary. */
const leaseMs = 12_000;
const opened = new AsyncDisposableStack();
let database: Replicated;
let address: DatabaseRelay;
let cluster: TestCluster;
let site: BeatingSite;

beforeAll(async () => {
  database = opened.use(await startReplicated());
  address = opened.use(await relayDatabase(database.primary.url));
  site = opened.use(await startBeatingSite());
  cluster = opened.use(await startCluster({ lease: `${leaseMs}ms`, postgresUrl: address.url }));
});
afterAll(() => opened.disposeAsync());

async function browserOn(node: TestNode) {
  const name = `b${Math.random().toString(36).slice(2)}`;
  const policy = { privateAccess: { localhost: true } };
  const { body } = await node.api.create({ policy, startUrl: site.page(name) });
  expect(await cluster.holderOf(body.id)).toBe(node);
  return { id: body.id as string, name, life: await site.anotherThan(name, []) };
}

const records = () => cluster.sql('select id, status, epoch, holder from browsers order by id');
const boots = () => cluster.sql('select id, boot_id, state from nodes order by id');

/** Writes one number after the other until one is not answered; the last that was. */
async function writeUntilRefused(node: TestNode, id: string, onAnswer: (n: number) => void): Promise<number> {
  for (let n = 1; ; n++) {
    const answer = await node.api.patch(id, { metadata: { n: String(n) } }).catch(() => undefined);
    if (answer?.status !== 200) return n - 1;
    onAnswer(n);
  }
}

test('a primary that is killed, and its standby in its place: no browser moves, and nothing that was answered is lost', async () => {
  const [one, other] = cluster.nodes as [TestNode, TestNode];
  const living = [await browserOn(one), await browserOn(other)] as const;
  const client = await connectWithKey(other.api, living[0].id);
  const [recordsBefore, bootsBefore] = [await records(), await boots()];

  const written = Promise.withResolvers<void>();
  const writing = writeUntilRefused(one, living[1].id, (n) => n === 10 && written.resolve());
  await Promise.race([written.promise, writing]);
  address.cut();
  const killed = performance.now();
  await database.primary.kill();
  const lastAnswered = await writing;
  expect(lastAnswered).toBeGreaterThanOrEqual(10);
  const { status, body } = await one.api.get(living[0].id);
  expect([status, body.error.code]).toEqual([503, 'STORE_UNAVAILABLE']);

  await database.promote();
  // Longer than any lease lasts, which is what this is about.
  await sleep(leaseMs * 1.5 - (performance.now() - killed));
  address.mend(database.standby.url);
  for (const { api } of [one, other])
    await eventually(
      () => api.get(living[0].id),
      (answer) => answer.status === 200,
    );
  for (const { life } of living) await site.again(life);
  // Until the lease of a boot that had not come back would be over as well.
  const reaping = () =>
    cluster.sql<{ past: string }>("select at - calm_since as past from turns where name = 'reap'");
  await eventually(reaping, ([turn]) => Number(turn?.past) > leaseMs * 1.2);

  expect(await records()).toEqual(recordsBefore);
  expect(await boots()).toEqual(bootsBefore);
  for (const { name, life } of living) {
    await site.again(life);
    expect(site.lives(name)).toEqual([life]);
  }
  expect(await client.send('Browser.getVersion')).toMatchObject({ protocolVersion: '1.3' });
  client.socket.close();
  // One that was under way may have reached both servers before its answer was lost.
  const { n } = (await other.api.get(living[1].id)).body.metadata;
  expect([lastAnswered, lastAnswered + 1]).toContain(Number(n));

  const { body: made } = await other.api.create();
  expect(made).toMatchObject({ status: 'ready' });
  for (const id of [made.id, ...living.map(({ id }) => id)])
    expect((await one.api.remove(id)).status).toBe(200);
});
