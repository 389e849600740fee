import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { whileFrozen } from './frozen-tree.ts';
import { endAll, processTree } from './process-tree.ts';

const started: ChildProcess[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    await endAll(await processTree(child.pid ?? 0));
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

/** Far more than a busy machine needs to stop two processes. */
const ample = 60_000;

/** A shell that waits for a child of its own. */
async function startTree(): Promise<{ root: number; pids: number[] }> {
  const child = spawn('sh', ['-c', 'sleep 600; true'], { stdio: 'ignore' });
  started.push(child);
  const root = child.pid ?? 0;
  await expect.poll(async () => (await processTree(root)).length).toBe(2);
  return { root, pids: (await processTree(root)).map(({ pid }) => pid) };
}

const isStopped = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0] === 'T';
const anyStopped = (pids: number[]): boolean => pids.some(isStopped);
const goesOn = (pids: number[]) => expect.poll(() => anyStopped(pids), { interval: 5 }).toBe(false);

test('every process of the tree stands still during the work, and goes on after it', async () => {
  const { root, pids } = await startTree();
  const seen = await whileFrozen(root, ample, async () => pids.map(isStopped));
  expect(seen).toEqual([true, true]);
  await goesOn(pids);
});

test('the tree goes on when the work fails', async () => {
  const { root, pids } = await startTree();
  const work = async () => {
    throw new Error('the disk is gone');
  };
  await expect(whileFrozen(root, ample, work)).rejects.toThrow('the disk is gone');
  await goesOn(pids);
});

test('the tree goes on when the work does not end in time, and the work is told', async () => {
  const { root, pids } = await startTree();
  let told: AbortSignal | undefined;
  const hanging = whileFrozen(root, 300, (signal) => {
    told = signal;
    return new Promise<never>(() => undefined);
  });
  await expect(hanging).rejects.toThrow('within 300 ms');
  await goesOn(pids);
  // On a busy machine the time may be over before the tree stood: then the work was never begun.
  if (told) expect(told.aborted).toBe(true);
});

test('a tree that has ended is no fault', async () => {
  const { root, pids } = await startTree();
  const answer = await whileFrozen(root, ample, async () => {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    return 'read';
  });
  expect(answer).toBe('read');
});
