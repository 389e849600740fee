import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { StandingTime } from '../kit/standing-time.ts';
import type { BusyProject } from './busy-boxes.ts';
import { type Box, openPauses } from './pauses.ts';
import { beginStart } from './starting.ts';

const started: ChildProcess[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    const gone = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await gone;
  }
});

function startBox(asleep?: () => boolean): Box & { pid: number } {
  // In a session of its own, as every box is.
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
  started.push(child);
  return {
    pid: child.pid ?? 0,
    exited: once(child, 'exit'),
    get isAsleep() {
      return asleep?.() ?? false;
    },
  };
}

const isStopped = ({ pid }: Box): boolean =>
  readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0] === 'T';

/** Long enough for the kernel to stop a process on a busy machine. */
const slow = { lookMs: 10, callMs: 6000, newMs: 0, callerMs: 60_000 };
const slowStanding = () => new StandingTime({ mostMs: 1500, leastMs: 750 });

/** Pauses whose look says that these projects are busy, each with all of its boxes. */
async function pausesWith(...busy: [projectId: string, ...boxes: Box[]][]) {
  const found: BusyProject[] = busy.map(([projectId, ...boxes]) => ({
    projectId,
    boxes: new Set(boxes.map(({ pid }) => pid)),
    strays: [],
  }));
  let looked = 0;
  const look = () => {
    looked++;
    return found;
  };
  const pauses = openPauses({ mode: 'strict' }, { look }, slow, slowStanding());
  for (const [projectId, ...boxes] of busy) for (const box of boxes) pauses.add(box, projectId);
  await expect.poll(() => looked).toBeGreaterThan(0);
  return pauses;
}

/** Resolves when all of them are. */
const stands = (...boxes: Box[]) => expect.poll(() => boxes.every(isStopped), { interval: 5 }).toBe(true);
const runs = (...boxes: Box[]) => expect.poll(() => boxes.some(isStopped), { interval: 5 }).toBe(false);

test('a busy project stands still while a call of another is answered, and goes on after it', async () => {
  const [one, two] = [startBox(), startBox()];
  using pauses = await pausesWith(['busy', one, two]);
  const call = pauses.during('calm');
  await stands(one, two);
  call[Symbol.dispose]();
  await runs(one, two);
});

test('all of a box stands still, also what it has just begun', async () => {
  const child = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  started.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const within = { pid: Number(line), exited: new Promise(() => undefined) };
  const box = { pid: child.pid ?? 0, exited: once(child, 'exit') };
  using pauses = await pausesWith(['busy', box]);
  const call = pauses.during('calm');
  await stands(box, within);
  call[Symbol.dispose]();
  await runs(box, within);
  process.kill(within.pid, 'SIGKILL');
});

test('it goes on before a long call ends, and stands still again during the same call', async () => {
  const box = startBox();
  using pauses = await pausesWith(['busy', box]);
  using _call = pauses.during('calm');
  await stands(box);
  await runs(box);
  await stands(box);
});

test('once it has stood as long as it may, the next call waits until it has worked for a while', async () => {
  const box = startBox();
  using pauses = await pausesWith(['busy', box]);
  const first = pauses.during('calm');
  await stands(box);
  await runs(box);
  first[Symbol.dispose]();
  using _second = pauses.during('calm');
  expect(isStopped(box)).toBe(false);
  await stands(box);
});

test('a call of one busy project stops only another, and a calm box is never stopped', async () => {
  const [mine, other, calm] = [startBox(), startBox(), startBox()];
  using pauses = await pausesWith(['busy', mine], ['other', other]);
  pauses.add(calm, 'third');
  using _own = pauses.during('busy');
  using _third = pauses.during('third');
  await stands(mine, other);
  expect(isStopped(calm)).toBe(false);
});

const weightOf = ({ pid }: Box): string =>
  /nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'latin1'))?.[1] ?? '';

test.runIf(existsSync('/proc/self/autogroup'))(
  'boxes of a busy project weigh less while another has boxes, and no box of a project that is alone does',
  async () => {
    const [busy, calm, next] = [startBox(), startBox(), startBox()];
    using pauses = await pausesWith(['busy', busy]);
    const alone = weightOf(busy);
    pauses.add(calm, 'calm');
    await expect.poll(() => weightOf(busy)).toBe('15');
    expect(alone).not.toBe('15');
    expect(Number(weightOf(calm))).toBeLessThanOrEqual(Number(alone));
    pauses.add(next, 'busy');
    expect(weightOf(next)).toBe('15');
  },
);

test.runIf(existsSync('/proc/self/autogroup'))(
  'a box that starts or is new weighs less while several projects call, until it is known to be calm',
  async () => {
    const [calm, other, next] = [startBox(), startBox(), startBox()];
    using pauses = openPauses({ mode: 'strict' }, { look: () => [] }, { ...slow, newMs: 300 });
    const first = beginStart(calm.pid, { pauses });
    expect(weightOf(calm)).not.toBe('15');
    first[Symbol.dispose]();
    pauses.add(calm, 'calm');
    expect(weightOf(calm)).not.toBe('15');
    const same = beginStart(other.pid, { pauses });
    expect(weightOf(other)).not.toBe('15');
    same[Symbol.dispose]();
    using _call = pauses.during('next');
    const start = beginStart(next.pid, { pauses });
    expect(weightOf(next)).toBe('15');
    start[Symbol.dispose]();
    await expect.poll(() => weightOf(next)).not.toBe('15');
    pauses.add(next, 'next');
    await expect.poll(() => weightOf(next)).toBe('15');
    await expect.poll(() => [weightOf(calm), weightOf(next)]).not.toContain('15');
  },
);

test.runIf(existsSync('/proc/self/autogroup'))(
  'a box that starts beside the busy boxes of one project alone is not lighter, because it may be of the same',
  async () => {
    const [busy, next] = [startBox(), startBox()];
    using pauses = await pausesWith(['busy', busy]);
    using start = beginStart(next.pid, { inBackground: true, pauses });
    expect(weightOf(next)).toBe('15');
    start.hurry();
    await expect.poll(() => weightOf(next)).not.toBe('15');
  },
);

test('a box that sleeps for a reason of its own is not woken', async () => {
  let asleep = false;
  const [box, other] = [startBox(() => asleep), startBox()];
  using pauses = await pausesWith(['busy', box, other]);
  const call = pauses.during('calm');
  await stands(box, other);
  asleep = true;
  call[Symbol.dispose]();
  await runs(other);
  expect(isStopped(box)).toBe(true);
});

test('what stands still goes on when the service closes', async () => {
  const box = startBox();
  const pauses = await pausesWith(['busy', box]);
  pauses.during('calm');
  await stands(box);
  pauses[Symbol.dispose]();
  await runs(box);
});

test('outside of boxes nothing is ever looked at or stopped', () => {
  const box = startBox();
  const look = (): never => {
    throw new Error('looked');
  };
  using pauses = openPauses({ mode: 'process' }, { look }, slow);
  pauses.add(box, 'busy');
  using _call = pauses.during('calm');
  expect(isStopped(box)).toBe(false);
});
