import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { ProcessorUse } from './busy-boxes.ts';

const started: ChildProcess[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    const gone = once(child, 'exit');
    // With what it started: it leads a group.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await gone;
  }
});

/** A process whose child does this; it stays when that ends. */
function box(program: string): number {
  const child = spawn('/bin/sh', ['-c', `sh -c '${program}' & sleep 60; wait`], {
    stdio: 'ignore',
    detached: true,
  });
  started.push(child);
  return child.pid ?? 0;
}

const busy = 'while :; do :; done';

test('a project that fills the machine is named with its busy boxes, its neighbours are not', async () => {
  const use = new ProcessorUse();
  const hungry = Array.from({ length: availableParallelism() * 6 }, () => box(busy));
  const calm = box('sleep 60');
  const boxes = new Map([...hungry.map((pid) => [pid, 'hungry'] as const), [calm, 'calm']]);
  await expect
    .poll(() => use.look(boxes, 0)?.map(({ projectId }) => projectId), { interval: 200 })
    .toEqual(['hungry']);
  const found = () => use.look(boxes, 0)?.map((project) => [project.boxes, project.strays]);
  await expect.poll(found, { interval: 200 }).toEqual([[new Set(hungry), []]]);
});

test('a process that has left the group of its box is named by itself', async () => {
  const use = new ProcessorUse();
  // Nothing ends what has left its group, so it ends by itself.
  const leaders = Array.from({ length: availableParallelism() * 2 }, () =>
    box(`exec setsid timeout 20 sh -c "${busy}"`),
  );
  const boxes = new Map(leaders.map((pid) => [pid, 'hungry']));
  const seen = new Set<number>();
  const boxesOfStrays = (): Set<number> => {
    const strays = use.look(boxes, 0)?.[0]?.strays ?? [];
    for (const { pid } of strays) seen.add(pid);
    return new Set(strays.map((each) => each.box));
  };
  await expect.poll(boxesOfStrays, { interval: 200 }).toEqual(new Set(leaders));
  for (const pid of seen)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with another.
    }
});
