import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { type OverLimit, openMemoryWatch } from './memory-watch.ts';

const megabyte = 1024 ** 2;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A shell with a child that holds this many megabytes. */
async function treeWith(megabytes: number): Promise<number> {
  const hold = `const held = Buffer.alloc(${megabytes * megabyte}, 1); console.log(held.length); setInterval(() => held, 1e6)`;
  const child = spawn('/bin/sh', ['-c', '"$0" -e "$1"; exit', process.execPath, hold], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  children.push(child);
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  child.kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  return child.pid ?? 0;
}

test.skipIf(process.platform !== 'linux')(
  'a tree of processes that has more than its limit is told, with its largest process first; another is not',
  async () => {
    const [large, small] = await Promise.all([treeWith(200), treeWith(1)]);
    using watch = openMemoryWatch(0);
    const { promise, resolve } = Promise.withResolvers<OverLimit>();
    const told: number[] = [];
    watch.watch(small, 150 * megabyte, () => told.push(small));
    watch.watch(large, 150 * megabyte, resolve);
    const over = await promise;
    expect(over.machineIsShort).toBe(false);
    expect(over.bytes).toBeGreaterThan(200 * megabyte);
    expect(over.bytes).toBeLessThan(400 * megabyte);
    expect(over.members).toHaveLength(2);
    expect(over.members[0]?.bytes).toBeGreaterThan(200 * megabyte);
    expect(told).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'when the machine runs short, the largest tree gives way within its limit',
  async () => {
    const [large, small] = await Promise.all([treeWith(100), treeWith(1)]);
    using watch = openMemoryWatch(Number.POSITIVE_INFINITY);
    const { promise, resolve } = Promise.withResolvers<OverLimit>();
    const told: number[] = [];
    watch.watch(small, 1024 * megabyte, () => told.push(small));
    watch.watch(large, 1024 * megabyte, resolve);
    expect((await promise).machineIsShort).toBe(true);
    expect(told).toEqual([]);
  },
);
