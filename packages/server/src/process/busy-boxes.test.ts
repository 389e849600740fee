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

/** A process whose child does this. */
function box(program: string): number {
  const child = spawn('/bin/sh', ['-c', `sh -c '${program}' & wait`], { stdio: 'ignore', detached: true });
  started.push(child);
  return child.pid ?? 0;
}

const busy = 'while :; do :; done';

test('a project that fills the machine is named with its busy processes, its neighbours are not', async () => {
  const use = new ProcessorUse();
  const hungry = Array.from({ length: availableParallelism() * 6 }, () => box(busy));
  const calm = box('sleep 60');
  const boxes = new Map([...hungry.map((pid) => [pid, 'hungry'] as const), [calm, 'calm']]);
  await expect
    .poll(() => use.look(boxes, 0)?.map(({ projectId }) => projectId), { interval: 200 })
    .toEqual(['hungry']);
  await expect
    .poll(() => new Set(use.look(boxes, 0)?.[0]?.processes.map((each) => each.box)), { interval: 200 })
    .toEqual(new Set(hungry));
  const [found] = use.look(boxes, 0) ?? [];
  // The shell that leads the box only waits.
  for (const { pid } of found?.processes ?? []) expect(hungry).not.toContain(pid);
});
