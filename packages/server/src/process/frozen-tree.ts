/**
 * A tree of processes that stands still for a moment, so that its files can be read as they are at one instant:
 *
 *   SIGSTOP to all, until a look finds no new one ──> every thread stands ──> the work ──> SIGCONT to all
 *                                               └── one does not: SIGCONT to all, and once more
 *
 * One that waits for a child to begin its program stands only when that child was let go on. Whatever fails, and however long the work takes, all of them go on after the time that was given. Only for boxes: a stopped
 * process outside of one would outlive a service that is killed.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { orAborted } from '../kit/or-aborted.ts';
import { readProc, statFields } from './proc-files.ts';
import { processTree } from './process-tree.ts';

const lookAgainMs = 1;
const firstPatienceMs = 100;
/** Stopped, or ended. A thread in any other state may still be writing. */
const standing = new Set(['T', 't', 'Z', 'X', 'x']);

/** The work is given a signal that tells it when the tree goes on before it was done. */
export async function whileFrozen<T>(
  root: number,
  mostMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopped = new Set<number>();
  const late = new AbortController();
  const goOn = (): void => {
    for (const pid of stopped) signal(pid, 'SIGCONT');
  };
  const timer = setTimeout(() => {
    late.abort(new Error(`A browser did not stand still, or was not read, within ${mostMs} ms.`));
    goOn();
  }, mostMs);
  try {
    for (let patienceMs = firstPatienceMs; ; patienceMs *= 2) {
      await stopAll(root, stopped, late.signal);
      if (await allStand(stopped, patienceMs, late.signal)) break;
      goOn();
      stopped.clear();
      await sleep(lookAgainMs);
      late.signal.throwIfAborted();
    }
    return await orAborted(work(late.signal), late.signal);
  } finally {
    clearTimeout(timer);
    goOn();
  }
}

/** A process that is stopped starts no other, so there is an end to the new ones. */
async function stopAll(root: number, stopped: Set<number>, late: AbortSignal): Promise<void> {
  for (let isNew = true; isNew; ) {
    const tree = await processTree(root);
    // Nothing is stopped once it is late: no step waits between this look and the signals.
    late.throwIfAborted();
    const found = tree.filter(({ pid }) => !stopped.has(pid));
    for (const { pid } of found) if (signal(pid, 'SIGSTOP')) stopped.add(pid);
    isNew = found.some(({ pid }) => stopped.has(pid));
  }
}

async function allStand(
  stopped: ReadonlySet<number>,
  patienceMs: number,
  late: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + patienceMs;
  while (![...stopped].every(stands)) {
    if (performance.now() > until) return false;
    await sleep(lookAgainMs);
    late.throwIfAborted();
  }
  return true;
}

/** The kernel stops each thread when it next returns from a call: until then the call may write. */
function stands(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => {
      const stat = readProc(`/proc/${pid}/task/${thread}/stat`);
      return stat === undefined || standing.has(statFields(stat)[0] ?? '');
    });
  } catch {
    return true;
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
