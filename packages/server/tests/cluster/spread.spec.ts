import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually } from '../support/server.ts';

/**
 * A cluster that grows and shrinks while it is used. Callers know two nodes, and go on with these when a third joins. Browsers
 * are closed as new ones are made, the oldest first, so that about as many are open at any time.
 */
let cluster: TestCluster;
let first: TestNode;
let second: TestNode;
let site: Server;
let origin: string;
/** How often each call had its effect. */
const effects = new Map<string, number>();

beforeAll(async () => {
  site = createServer(({ url = '' }, response) => {
    effects.set(url, (effects.get(url) ?? 0) + 1);
    response.end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  cluster = await startCluster({
    nodes: 2,
    witness: true,
    lease: '12s',
    settings: { BROWSERD_MAX_BROWSERS: '6' },
  });
  [first, second] = cluster.nodes as [TestNode, TestNode];
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  site?.close();
});

interface Open {
  id: string;
  /** Calls under way, which are waited for before it is closed. */
  calls: number;
}

const open: Open[] = [];
const mostOpen = 9;
/** Between two of these each node hears what the others have by now, as it would where browsers live longer than seconds. */
const createsAtATime = 3;

let asked = 0;

/** Through the nodes that callers know, in turn; resolves with the node that made it. */
async function createOne(known: readonly TestNode[]): Promise<string> {
  const node = known[asked++ % known.length] as TestNode;
  const policy = { privateAccess: { localhost: true } };
  const { status, body } = await node.api.create({ policy }, { prefer: 'wait=600' });
  expect(status, JSON.stringify(body)).toBe(201);
  open.push({ id: body.id, calls: 0 });
  if (open.length > mostOpen) await closeOldest(node);
  return body.node;
}

async function closeOldest(node: TestNode): Promise<void> {
  const oldest = open.shift() as Open;
  await eventually(
    async () => oldest.calls,
    (calls) => calls === 0,
  );
  expect((await node.api.remove(oldest.id)).status).toBe(200);
}

const signsOfLife = (): Promise<{ boot_id: string; renewed_at: string }[]> =>
  cluster.sql("select boot_id, renewed_at from nodes where state = 'up'");

/** With the first sign each node tells what it has, and after the second it has heard it of all. */
async function untilAllHeard(): Promise<void> {
  for (const _ of ['told', 'heard']) {
    const before = new Map((await signsOfLife()).map((node) => [node.boot_id, node.renewed_at]));
    await eventually(signsOfLife, (now) =>
      now.every((node) => Number(node.renewed_at) > Number(before.get(node.boot_id) ?? 0)),
    );
  }
}

/** How many of these creates each node made. */
async function create(count: number, known: readonly TestNode[]): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  for (let n = 0; n < count; n++) {
    if (n % createsAtATime === 0) await untilAllHeard();
    const node = await createOne(known);
    made.set(node, (made.get(node) ?? 0) + 1);
  }
  return made;
}

/** Whether a call took effect is known, or the caller is told that it is not; what was never begun may be repeated. */
const honest = ['NODE_LOST', 'BROWSER_NOT_READY', 'SERVICE_SHUTTING_DOWN', 'no answer'];

function startCalling(callers: number) {
  let over = false;
  const answered: string[] = [];
  const refused = new Set<string>();
  const caller = async (_: unknown, n: number): Promise<void> => {
    for (let i = 0; !over; i++) {
      const browser = open[(n + i) % open.length];
      const up = cluster.nodes.filter((node) => node.runs);
      const node = up[i % up.length];
      if (browser && node) {
        browser.calls++;
        const path = `/${n}/${i}`;
        const code = `await context.request.post('${origin}${path}')`;
        const answer = await node.api
          .call('POST', `/v1/browsers/${browser.id}/script/execute`, { body: { code } })
          .catch(() => undefined);
        browser.calls--;
        if (answer?.body.success) answered.push(path);
        else refused.add(answer?.body.error?.code ?? 'no answer');
      }
      // The creates need the processors as well.
      await sleep(100);
    }
  };
  const calling = Promise.all(Array.from({ length: callers }, caller));
  return {
    answered,
    refused,
    async end() {
      over = true;
      await calling;
    },
  };
}

test('creates spread over a node that joins, and nothing is lost when another leaves', {
  timeout: 600_000,
}, async () => {
  await create(mostOpen, [first, second]);
  const calls = startCalling(2);

  const third = await cluster.add();
  // As many as are open: then none is older than the third node.
  await create(mostOpen, [first, second]);
  const counted = 24;
  const made = await create(counted, [first, second]);
  const nodes = await Promise.all([first, second, third].map((node) => node.id()));
  const shares = nodes.map((node) => ((made.get(node) ?? 0) * nodes.length) / counted);
  for (const share of shares) {
    expect(share, `shares: ${shares}`).toBeGreaterThanOrEqual(0.75);
    expect(share, `shares: ${shares}`).toBeLessThanOrEqual(1.25);
  }

  const { exited } = second.process;
  const leaving = second.stop();
  let isGone = false;
  void exited.then(() => {
    isGone = true;
  });
  while (!isGone) await createOne([first, third]);
  expect(await leaving).toMatchObject({ code: 0 });
  await create(createsAtATime, [first, third]);
  await calls.end();

  const ready = await eventually(
    async () => (await first.api.call('GET', '/v1/browsers?status=ready')).body.items as { id: string }[],
    (items) => items.length >= open.length,
  );
  expect(ready.map(({ id }) => id).toSorted()).toEqual(open.map(({ id }) => id).toSorted());
  for (const { id } of open) expect([first, third]).toContain(await cluster.holderOf(id));
  expect(calls.answered.length).toBeGreaterThan(mostOpen);
  for (const path of calls.answered) expect([path, effects.get(path)]).toEqual([path, 1]);
  for (const [path, count] of effects) expect([path, count]).toEqual([path, 1]);
  expect([...calls.refused].filter((why) => !honest.includes(why))).toEqual([]);
});
