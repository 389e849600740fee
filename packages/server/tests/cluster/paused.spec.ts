import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { beatingBrowserOn, execute, expectNoOverlap } from '../support/beating-browser.ts';
import { type BeatingSite, startBeatingSite } from '../support/beating-site.ts';
import type { Answer } from '../support/client.ts';
import { repeats, startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { processesOf } from '../support/leaks.ts';
import { treeOf } from '../support/process-tree.ts';
import { eventually } from '../support/server.ts';

/** A node that stands still for longer than its lease, and wakes when its browsers are another's: two nodes on one database. */
const leaseMs = 9000;
let site: BeatingSite;
let cluster: TestCluster;
let one: TestNode;
let other: TestNode;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  site = opened.use(await startBeatingSite());
  cluster = opened.use(await startCluster({ nodes: 2, lease: `${leaseMs}ms` }));
  [one, other] = cluster.nodes as [TestNode, TestNode];
});
afterAll(() => opened.disposeAsync());

interface Pause {
  what: string;
  /** Which of the processes of a node stand still, the service first. */
  of(service: number): number[];
}

const service: Pause = { what: 'a service', of: (pid) => [pid] };
/** As when a virtual machine is paused: service, runners, Chromiums. */
const machine: Pause = { what: 'a machine', of: treeOf };

/** For pages and runners to have something to say by the time that their service wakes. */
const headStartMs = 500;

/**
 * Whatever stood still, it goes on when this is called, or the test is over. The service is the last to wake: what its
 * Chromiums and runners have for it is there then, before it has heard of anything else.
 */
function pause({ of }: Pause, node: TestNode): () => Promise<void> {
  const [service = 0, ...below] = of(node.process.child.pid ?? 0);
  const send = (pid: number, signal: NodeJS.Signals): void => {
    try {
      process.kill(pid, signal);
    } catch {
      // ended meanwhile
    }
  };
  const all = (signal: NodeJS.Signals): void => {
    for (const pid of [service, ...below]) send(pid, signal);
  };
  all('SIGSTOP');
  onTestFinished(() => all('SIGCONT'));
  return async () => {
    for (const pid of below) send(pid, 'SIGCONT');
    if (below.length > 0) await sleep(headStartMs);
    send(service, 'SIGCONT');
  };
}

/** What a script returned; undefined where its caller got an error, or nothing. */
const resultOf = (answer: Promise<Answer>): Promise<unknown> =>
  answer.then(
    ({ body }) => body.result,
    () => undefined,
  );

async function standsStill(kind: Pause, atLeastMs: number): Promise<void> {
  const living = await beatingBrowserOn(one, { cluster, site });
  const { exited, output } = one.process;
  const script = `${living.name}-script`;
  const begun = new URL(`/beat?browser=${script}&life=script`, site.page(script));
  const underWay = resultOf(
    execute(
      one,
      living.id,
      `await context.request.get('${begun}'); await sleep(${leaseMs / 3}); return 'of the old life'`,
    ),
  );
  await site.anotherThan(script, []);
  const goOn = pause(kind, one);
  const pausedFor = sleep(atLeastMs);
  const askedMeanwhile = resultOf(execute(one, living.id, `return page.evaluate('life')`));
  const next = await site.anotherThan(living.name, [living.life]);
  await pausedFor;
  const before = site.ofLife(living.life).length;
  await goOn();

  expect((await exited).code).toBe(75);
  expect(output()).toContain('was declared gone');
  await site.again(next);
  expect(site.ofLife(living.life).length).toBe(before);
  expectNoOverlap(site, living, next);
  // What took effect in a life that is over is no news; a call that came meanwhile is passed on, or never answered.
  expect(await underWay).toBeUndefined();
  expect([undefined, next]).toContain(await askedMeanwhile);
  expect(await cluster.holderOf(living.id)).toBe(other);
  expect((await execute(other, living.id, `return page.evaluate('life')`)).body.result).toBe(next);
  await eventually(
    async () => processesOf(one.folders.scratchDir),
    (left) => left.length === 0,
  );
  await other.api.remove(living.id);
  await one.start();
}

const ofTwenty = { repeats: Math.floor(repeats / 2) };

test.for([service, machine])(
  '$what that stood still lets no byte and no answer out when it wakes, and ends with 75',
  ofTwenty,
  (kind) => standsStill(kind, 0),
);

test('nor does a machine that stood still for three leases', () => standsStill(machine, 3 * leaseMs));
