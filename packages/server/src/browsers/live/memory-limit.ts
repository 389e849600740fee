/**
 * What is done about a Chromium that has more memory than its browser may:
 *
 *   the largest processes of pages are ended until the rest is within the limit: their tabs crash, the browser goes on
 *   what is left is over by itself (Chromium's own process grew): all of it is ended, and the browser recovered
 */
import { type Chromium, endRenderer, isRenderer } from '../../chromium/chromium.ts';
import { type MemoryGroup, type MemoryWatch, type OverLimit, processTree } from '../../process/process.ts';
import type { Tabs } from './tabs.ts';
import type { Watchers } from './watchers.ts';

/** Ending less than this helps nothing. */
const worthEnding = 24 * 1024 ** 2;
/** A tree within its limit is not why the machine is short below this. */
const large = 192 * 1024 ** 2;

const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);

export function limitMemory(
  limits: { watch: MemoryWatch; group: MemoryGroup | undefined; limitBytes: number },
  browser: { chromium: Chromium; tabs: Tabs; watchers: Watchers },
): { setLimit(bytes: number): void } {
  const { chromium, tabs, watchers } = browser;
  const { watch, group } = limits;
  /** Ended, but their memory takes a while to be given back. */
  const ending = new Set<number>();

  const onOver = (over: OverLimit): void => {
    const { limitBytes: limit, machineIsShort } = over;
    const members = over.members.filter(({ pid }) => !ending.has(pid));
    for (const pid of ending) if (!over.members.some((each) => each.pid === pid)) ending.delete(pid);
    const gone = over.members.reduce((sum, { pid, bytes }) => sum + (ending.has(pid) ? bytes : 0), 0);
    let left = over.bytes - gone;
    const goal = machineIsShort ? left - 1 : limit;
    if (left <= goal || (machineIsShort && (left < large || gone > 0))) return;
    const reason = machineIsShort
      ? `out of memory: the machine has too little left, and this browser used the most (${megabytes(over.bytes)} MB)`
      : `out of memory: the browser used ${megabytes(over.bytes)} MB and may use ${megabytes(limit)} (memoryMb)`;
    const pages = members.filter(({ pid, bytes }) => bytes >= worthEnding && isRenderer(pid));
    const rest = pages.reduce((sum, { bytes }) => sum - bytes, left);
    if (rest > goal) {
      chromium.endFor(`it was ${reason}`);
      return;
    }
    tabs.crashes.expect(reason);
    let ended = 0;
    for (const { pid, bytes } of pages) {
      if (left <= goal) break;
      endRenderer(pid);
      ending.add(pid);
      ended++;
      left -= bytes;
    }
    watchers.notify('limited', {
      limit: 'memory',
      message: reason,
      usedBytes: Math.round(over.bytes),
      limitBytes: limit,
      processesEnded: ended,
    });
  };

  const watched = watch.watch(chromium.pid, limits.limitBytes, onOver);
  if (group) byKernel(group, browser);
  void chromium.exited.then(() => watched[Symbol.dispose]());
  return {
    setLimit(bytes) {
      watched.limitBytes = bytes;
      group?.setLimit(bytes);
    },
  };
}

/** Where the kernel holds the limit too, it ends what the watch was too late for. */
function byKernel(group: MemoryGroup, { chromium, tabs }: { chromium: Chromium; tabs: Tabs }): void {
  const reason = 'out of memory: the browser used more than it may (memoryMb)';
  let known = 0;
  const killedMore = (): boolean => {
    const killed = group.killed();
    const more = killed > known;
    known = killed;
    return more;
  };
  tabs.crashes.explainKilled = () => (killedMore() ? reason : undefined);
  // Some had been started before the first one was in the group.
  void processTree(chromium.pid).then((members) => group.add(members.map(({ pid }) => pid)));
  void chromium.exited.then(async () => {
    if (killedMore()) chromium.endFor(`it was ${reason}`);
    await group.remove();
  });
}
