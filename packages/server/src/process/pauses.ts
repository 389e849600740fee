/**
 * Boxes of a project that is over its share of the processors weigh less while other projects have boxes here: groups of
 * equal weight keep each other, and the service, waiting for tenths of a second (seen with Linux 6.18). And they pause
 * while a call of another project is answered: an answer passes through a dozen processes, and the kernel lets a busy process
 * of any weight finish its slice before each of them.
 *
 * Boxes that are starting, or have just begun, are as light: what they will use is not known yet.
 *
 *   call begins ──> busy boxes of other projects stop ──> call ends, or a quarter of a second ──> they go on
 *
 * A busy project keeps at least half of its time (see kit/standing-time.ts), calls that last (a script that waits for a page) count only in their first
 * quarter of a second, and calls of a project that is itself over its share stop nothing. Only in boxes: a stopped process
 * outside of one would outlive a service that is killed.
 */
import { StandingTime } from '../kit/standing-time.ts';
import { type BusyProject, ProcessorUse } from './busy-boxes.ts';
import type { Isolation } from './isolation.ts';
import { giveWay, stopGivingWay } from './priority.ts';

export interface Box {
  /** The process that leads it; all below it count. */
  readonly pid: number;
  readonly exited: Promise<unknown>;
  /** It was stopped for a reason of its own. */
  readonly isAsleep?: boolean;
}

export interface Pauses extends Disposable {
  /** From now on the box works for this project. */
  add(box: Box, projectId: string): void;
  /** A caller waits for a box that starts; disposed of when it is up, which is before it is added. */
  starting(pid: number): Disposable;
  /** A call of the project begins; disposed of when it is answered. */
  during(projectId: string): Disposable;
}

const usual = {
  /** How often it is found out which boxes are busy. */
  lookMs: 250,
  /** How long a call counts. */
  callMs: 250,
  /** How long a box weighs less because it is new: until looks have shown what it uses. */
  newMs: 750,
  /** How long a project that called may be the one for which a box starts. */
  callerMs: 60_000,
};

const nothing: Disposable = { [Symbol.dispose]: () => undefined };

/** A negative number: all of the group that this process leads, also those that begin in this moment. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

export function openPauses(
  isolation: Pick<Isolation, 'mode'>,
  use: Pick<ProcessorUse, 'look'> = new ProcessorUse(),
  { lookMs, callMs, newMs, callerMs } = usual,
  standing = new StandingTime(),
): Pauses {
  const boxes = new Map<number, { box: Box; projectId: string; addedAt: number }>();
  const starting = new Set<number>();
  /** Calls under way that may stop others, by project. */
  const calls = new Map<object, string>();
  /** When each project called last. */
  const callers = new Map<string, number>();
  let busy: BusyProject[] = [];
  /** Boxes that weigh less, for now. */
  const light = new Set<number>();
  let stopped: BusyProject['strays'] = [];
  let stoppedAt = 0;
  let pausedMs = 0;
  let looking: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;

  const isAsleep = (pid: number): boolean => boxes.get(pid)?.box.isAsleep ?? false;

  const goOn = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!standing.stands) return;
    for (const { pid, box } of stopped) if (!isAsleep(box)) signal(pid, 'SIGCONT');
    stopped = [];
    standing.end();
    pausedMs += performance.now() - stoppedAt;
    if (calls.size > 0) timer = setTimeout(stop, standing.restMs);
  };
  const stop = (): void => {
    timer = undefined;
    if (stopped.length > 0 || calls.size === 0) return;
    const callers = new Set(calls.values());
    const others = busy.filter(({ projectId }) => [...callers].some((caller) => caller !== projectId));
    if (others.length === 0) return;
    const leftMs = standing.begin();
    if (leftMs === 0) {
      timer = setTimeout(stop, standing.restMs);
      return;
    }
    stopped = others
      .flatMap(({ boxes: groups, strays }) => [...[...groups].map((box) => ({ pid: -box, box })), ...strays])
      .filter(({ pid, box }) => boxes.has(box) && !isAsleep(box) && signal(pid, 'SIGSTOP'));
    stoppedAt = performance.now();
    timer = setTimeout(goOn, leftMs);
  };
  const recentCallers = (): Iterable<string> => {
    const since = performance.now() - callerMs;
    for (const [projectId, at] of callers) if (at < since) callers.delete(projectId);
    return callers.keys();
  };
  const setLight = (pid: number, isLight: boolean): void => {
    if (isLight === light.has(pid) || !giveWay(pid, isLight ? 'crowding' : 'running')) return;
    if (isLight) light.add(pid);
    else light.delete(pid);
  };
  const weigh = (): void => {
    const projects = new Set([...boxes.values()].map(({ projectId }) => projectId));
    const newSince = performance.now() - newMs;
    for (const [pid, { projectId, addedAt }] of boxes) {
      const crowds = addedAt > newSince || busy.some((each) => each.projectId === projectId);
      setLight(pid, projects.size > 1 && crowds);
    }
    if (starting.size === 0) return;
    // Whose it will be is not known here. Beside one busy project it may be that one's, which would wait for long.
    const isOneBusy = projects.size === 1 && busy.length > 0;
    const isAlone = projects.size === 0 || new Set([...projects, ...recentCallers()]).size === 1;
    for (const pid of starting) setLight(pid, !isAlone && !isOneBusy);
  };
  const look = (): void => {
    const found = use.look(new Map([...boxes].map(([pid, { projectId }]) => [pid, projectId])), pausedMs);
    if (found) {
      busy = found;
      pausedMs = 0;
    }
    weigh();
  };

  return {
    add(box, projectId) {
      // Without a process it has no group either: zero would be our own.
      if (isolation.mode !== 'strict' || box.pid <= 1) return;
      boxes.set(box.pid, { box, projectId, addedAt: performance.now() });
      weigh();
      looking ??= setInterval(look, lookMs).unref();
      void box.exited.then(() => {
        if (boxes.get(box.pid)?.box === box) {
          boxes.delete(box.pid);
          light.delete(box.pid);
        }
        if (boxes.size > 0) return;
        clearInterval(looking);
        looking = undefined;
        busy = [];
      });
    },
    starting(pid) {
      if (isolation.mode !== 'strict') {
        void stopGivingWay(pid);
        return nothing;
      }
      starting.add(pid);
      // It gave way to everything until now.
      light.add(pid);
      weigh();
      return {
        [Symbol.dispose]() {
          starting.delete(pid);
          light.delete(pid);
        },
      };
    },
    during(projectId) {
      callers.set(projectId, performance.now());
      if (busy.length === 0 || busy.some((each) => each.projectId === projectId)) return nothing;
      const call = {};
      calls.set(call, projectId);
      if (timer === undefined) stop();
      const end = (): void => {
        clearTimeout(late);
        if (calls.delete(call) && calls.size === 0) goOn();
      };
      const late = setTimeout(end, callMs);
      return { [Symbol.dispose]: end };
    },
    [Symbol.dispose]() {
      clearInterval(looking);
      calls.clear();
      goOn();
    },
  };
}
