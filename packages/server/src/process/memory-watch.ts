/**
 * Holds process trees to their limits of memory where no control group does. All trees are looked at in one pass, which
 * costs about half a millisecond a browser, so a pass is made only when there is a reason to:
 *
 *   every 200 ms  the memory that the machine has left, one small file
 *   a pass        when that fell by 48 MiB since the last one, when little is left, and every 3 seconds in any case
 *
 * A page can take gigabytes in a second: while something grows, passes follow each other as fast as their cost allows.
 * Where the machine itself runs short, the largest tree gives way even within its limit.
 */
import { freemem, totalmem } from 'node:os';
import { TreeMemories, type TreeMemory } from './tree-memory.ts';

export interface OverLimit extends TreeMemory {
  limitBytes: number;
  /** It is within its limit, but the machine has too little left. */
  machineIsShort: boolean;
}

export interface MemoryWatch extends Disposable {
  /** From now on the tree below this process is held to the limit; `onOver` is called at each look that finds it over. */
  watch(pid: number, limitBytes: number, onOver: (over: OverLimit) => void): WatchedMemory;
}

export interface WatchedMemory extends Disposable {
  limitBytes: number;
  /** At the last look. */
  readonly bytes: number;
}

const tickMs = 200;
const steadyMs = 3000;
const noticeable = 48 * 1024 ** 2;
/** Of the time, at most; passes over many trees are made less often. */
const shareOfTime = 0.1;
/** Below this much memory of the machine the largest tree gives way, also within its limit. */
const usualReserve = Math.min(totalmem() * 0.05, 512 * 1024 ** 2);

interface Watched extends WatchedMemory {
  bytes: number;
  onOver(over: OverLimit): void;
}

export function openMemoryWatch(reserveBytes = usualReserve): MemoryWatch {
  const trees = new Map<number, Watched>();
  const memories = new TreeMemories();
  let leftAtPass = Number.POSITIVE_INFINITY;
  let passedAt = 0;
  let notBefore = 0;
  let timer: NodeJS.Timeout | undefined;

  const pass = (left: number): void => {
    const began = performance.now();
    const found = memories.look(new Set(trees.keys()));
    for (const [pid, memory] of found) {
      const tree = trees.get(pid);
      if (!tree) continue;
      tree.bytes = memory.bytes;
      if (memory.bytes > tree.limitBytes)
        tree.onOver({ ...memory, limitBytes: tree.limitBytes, machineIsShort: false });
    }
    if (left < reserveBytes) largestGivesWay(found);
    leftAtPass = left;
    passedAt = performance.now();
    notBefore = passedAt + (passedAt - began) / shareOfTime;
  };
  const largestGivesWay = (found: Map<number, TreeMemory>): void => {
    const [pid, memory] = [...found].sort(([, a], [, b]) => b.bytes - a.bytes)[0] ?? [];
    const tree = pid === undefined ? undefined : trees.get(pid);
    if (!tree || !memory || memory.bytes > tree.limitBytes) return;
    tree.onOver({ ...memory, limitBytes: tree.limitBytes, machineIsShort: true });
  };
  const tick = (): void => {
    const now = performance.now();
    if (now < notBefore) return;
    const left = freemem();
    // What was given back meanwhile must not hide what is taken next.
    leftAtPass = Math.max(leftAtPass, left);
    if (leftAtPass - left > noticeable || left < reserveBytes || now - passedAt > steadyMs) pass(left);
  };

  return {
    watch(pid, limitBytes, onOver) {
      const watched: Watched = {
        limitBytes,
        bytes: 0,
        onOver,
        [Symbol.dispose]() {
          if (trees.get(pid) === watched) trees.delete(pid);
          if (trees.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
      trees.set(pid, watched);
      if (process.platform === 'linux') timer ??= setInterval(tick, tickMs).unref();
      return watched;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      trees.clear();
    },
  };
}
