import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Access } from '../../src/access/access.ts';
import { createLog } from '../../src/kit/log.ts';
import { openStore } from '../../src/store/store.ts';
import type { Answer, Api } from '../support/client.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually } from '../support/server.ts';

const later = { prefer: 'respond-async, wait=600' };

const crowd = 300;
const places = 10;

/**
 * Two nodes with five places each. Their lease is not over within a test: that a node is lost, only its witness says.
 */
describe('nodes below witnesses', () => {
  let cluster: TestCluster;
  let first: TestNode;
  let second: TestNode;
  /** Of the other project. */
  let another: string;
  beforeAll(async () => {
    cluster = await startCluster({
      nodes: 2,
      witness: true,
      lease: '10m',
      settings: {
        BROWSERD_MAX_BROWSERS: String(places / 2),
        // A project that is not alone would leave a quarter of them to the others, and of the line.
        BROWSERD_MAX_BROWSERS_PER_PROJECT: String(places),
        BROWSERD_QUEUE_LIMIT: String(2 * crowd),
      },
    });
    [first, second] = cluster.nodes as [TestNode, TestNode];
    another = await keyOfAnother();
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  interface Row {
    id: string;
    name: string;
  }

  const heldBy = async (node: TestNode): Promise<Row[]> =>
    cluster.sql<Row>(
      "select b.id, b.name from browsers b join nodes n on n.boot_id = b.holder where n.id = $1 and b.status = 'ready' order by b.id",
      [await node.id()],
    );

  const ready = (): Promise<Row[]> =>
    cluster.sql<Row>("select id, name from browsers where status = 'ready'");

  const waiting = (status = 'creating'): Promise<Row[]> =>
    cluster.sql<Row>('select id, name from browsers where holder is null and status = $1', [status]);

  const keyOfAnother = async (): Promise<string> => {
    const store = await openStore({ databaseUrl: cluster.databaseUrl, dataDir: first.folders.dataDir });
    const access = new Access({ store, log: createLog('silent') });
    const { id } = await access.ensureProject('another');
    const { key } = await access.createKey(id, { name: 'another', role: 'admin' });
    await store.close();
    return key;
  };

  /** Of all creates in line of the key's project, the first in line first. */
  async function lineOf(api: Api): Promise<{ name: string; position: number }[]> {
    const line: { name: string; position: number }[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body }: Answer = await api.call(
        'GET',
        `/v1/browsers?status=creating&limit=100${cursor && `&cursor=${cursor}`}`,
      );
      for (const { name, queue } of body.items) if (queue) line.push({ name, position: queue.position });
      cursor = body.hasMore ? body.nextCursor : undefined;
    }
    return line.toSorted((a, b) => a.position - b.position);
  }

  const close = async ({ id, name }: Row): Promise<void> => {
    const api = name === 'single' ? second.api.as(another) : second.api;
    expect((await api.remove(id)).status).toBe(200);
  };

  /** One of these is closed; resolves with the name of the one that has its place then. */
  async function serveNext([closed]: Row[]): Promise<string> {
    const before = new Set((await ready()).map(({ name }) => name));
    if (closed) await close(closed);
    const now = await eventually(ready, (rows) => rows.some(({ name }) => !before.has(name)));
    return now.find(({ name }) => !before.has(name))?.name ?? '';
  }

  test('a crowd of creates does not stand before one of another project, and the line goes on when the node that took them is killed', {
    timeout: 600_000,
  }, async () => {
    const answers: (number | string)[] = [];
    const asked = Array.from({ length: crowd }, (_, n) =>
      first.api.create({ name: `crowd ${n}` }, { prefer: 'wait=600', 'idempotency-key': `crowd ${n}` }).then(
        ({ status }) => answers.push(status),
        (error: Error) => answers.push(error.message),
      ),
    );
    await eventually(ready, (rows) => rows.length === places);
    await eventually(waiting, (rows) => rows.length === crowd - places);
    expect(await second.api.create()).toMatchObject({ status: 429 });
    const single = second.api.as(another).create({ name: 'single' }, { prefer: 'wait=600' });
    // Where the test fails before it is served, its node ends first.
    single.catch(() => undefined);
    await eventually(waiting, (rows) => rows.length === crowd - places + 1);

    const line = await lineOf(first.api);
    expect(await lineOf(second.api)).toEqual(line);
    const lineOfOne = await lineOf(first.api.as(another));
    expect(await lineOf(second.api.as(another))).toEqual(lineOfOne);
    expect(lineOfOne[0]?.position).toBeLessThanOrEqual(4);
    expect([...line, ...lineOfOne].map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: crowd - places + 1 }, (_, n) => n + 1),
    );

    const served: string[] = [];
    while (!served.includes('single') && served.length < 4) served.push(await serveNext(await ready()));
    expect(served).toContain('single');
    expect(await single).toMatchObject({ status: 201, body: { status: 'ready', name: 'single' } });
    const answered = places + served.length - 1;
    await eventually(
      async () => answers.length,
      (count) => count === answered,
    );

    const lost = await heldBy(first);
    process.kill(await first.servicePid(), 'SIGKILL');
    await first.process.exited;
    await Promise.all(asked);
    expect(answers).toEqual([...Array(answered).fill(201), ...Array(crowd - answered).fill('fetch failed')]);
    // Their own node might be back in a moment, and has a head start.
    await eventually(
      () =>
        cluster.sql(
          "select id from browsers where status = 'recovering' and queued_at < extract(epoch from clock_timestamp()) * 1000 - 1000",
        ),
      (rows) => rows.length === lost.length,
    );
    const [kept, ...given] = lost;
    for (const each of given) await close(each);
    const [head] = await lineOf(second.api);
    // What was running is first in line.
    expect(await serveNext(await heldBy(second))).toBe(kept?.name);
    expect(await serveNext(await heldBy(second))).toBe(head?.name);

    // A caller whose node was lost asks again, and finds the place that it has.
    const name = (await waiting()).at(-1)?.name ?? '';
    const again = await second.api.create({ name }, { ...later, 'idempotency-key': name });
    expect(again).toMatchObject({ status: 202, body: { name, queue: { position: expect.any(Number) } } });
    expect(await cluster.sql('select id from browsers where name = $1', [name])).toEqual([
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
