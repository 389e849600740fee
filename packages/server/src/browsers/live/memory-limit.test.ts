import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import type { Chromium } from '../../chromium/chromium.ts';
import type { MemoryWatch, OverLimit } from '../../process/process.ts';
import { limitMemory } from './memory-limit.ts';
import type { Tabs } from './tabs.ts';
import { type Limited, Watchers } from './watchers.ts';

const megabyte = 1024 ** 2;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that waits, with the name of one that runs pages or of another. */
async function processOf(type: 'renderer' | 'utility'): Promise<{ pid: number; exited: Promise<unknown> }> {
  const code = "console.log('up'); setInterval(() => 0, 1e6)";
  const child = spawn(process.execPath, ['-e', code, '--', `--type=${type}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const exited = once(child, 'exit');
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return { pid: child.pid ?? 0, exited };
}

/** What is done at a look that finds these megabytes by process. */
function rig(limitMb: number) {
  const ended: string[] = [];
  const told: Limited[] = [];
  const watchers = new Watchers();
  watchers.add({ limited: (what) => told.push(what) });
  let onOver: (over: OverLimit) => void = () => undefined;
  const watch = {
    watch: (_pid: number, limitBytes: number, over: typeof onOver) => {
      onOver = over;
      return { limitBytes, bytes: 0, [Symbol.dispose]: () => undefined };
    },
  } as unknown as MemoryWatch;
  const chromium = {
    pid: 1,
    exited: new Promise(() => undefined),
    endFor: (reason: string) => ended.push(reason),
  } as unknown as Chromium;
  const tabs = { crashes: { expect: () => undefined } } as unknown as Tabs;
  const limits = { watch, group: undefined, limitBytes: limitMb * megabyte };
  limitMemory(limits, { chromium, tabs, watchers });
  const look = (members: [pid: number, mb: number][]): void =>
    onOver({
      limitBytes: limitMb * megabyte,
      machineIsShort: false,
      bytes: members.reduce((sum, [, mb]) => sum + mb, 0) * megabyte,
      members: members.map(([pid, mb]) => ({ pid, bytes: mb * megabyte })),
    });
  return { look, ended, told };
}

test.skipIf(process.platform !== 'linux')(
  'the largest process of pages is ended, once, and one within the limit is left',
  async () => {
    const [large, small] = await Promise.all([processOf('renderer'), processOf('renderer')]);
    const { look, ended, told } = rig(384);
    look([
      [large.pid, 400],
      [small.pid, 100],
    ]);
    await large.exited;
    // its memory is still there at the next look
    look([
      [large.pid, 400],
      [small.pid, 100],
    ]);
    expect(ended).toEqual([]);
    expect(told).toMatchObject([{ limit: 'memory', processesEnded: 1, limitBytes: 384 * megabyte }]);
    expect(children.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toContain(null);
  },
);

test.skipIf(process.platform !== 'linux')(
  'where the rest is over by itself, the whole Chromium is ended with the reason, and no page before it',
  async () => {
    const [own, page] = await Promise.all([processOf('utility'), processOf('renderer')]);
    const { look, ended, told } = rig(384);
    look([
      [own.pid, 500],
      [page.pid, 100],
    ]);
    expect(ended).toEqual(['it was out of memory: the browser used 600 MB and may use 384 (memoryMb)']);
    expect(told).toEqual([]);
    expect(children.map(({ signalCode }) => signalCode)).toEqual([null, null]);
  },
);
