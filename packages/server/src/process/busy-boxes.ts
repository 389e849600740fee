/**
 * Which boxes take the processors from others. A pass reads the processor time of every process in a box, so it is made
 * only while the machine has nothing left, which one small file tells:
 *
 *   every 250 ms  how much of the machine was idle
 *   a pass        while that is little: what each project's boxes used since the last one
 *
 * A project is over its share when it used more than half of what it would have if all active projects and the next
 * caller had equal parts.
 */
import { availableParallelism, cpus } from 'node:os';
import { readProc, statFields } from './proc-files.ts';
import { TreeMembers } from './tree-members.ts';

export interface BusyProject {
  projectId: string;
  /** Its boxes that use the processors, by the process that leads each, and its group of processes. */
  boxes: Set<number>;
  /** Busy processes that have left the group of their box, as only code that took over a process does, each with its box. */
  strays: { pid: number; box: number }[];
}

/** The kernel counts processor time in hundredths of a second, whatever its own clock is. */
const tickMs = 10;
const idleShare = 0.2;
/** Of the time between two passes: a process, or a project, that used less counts as resting. */
const restingShare = 0.03;
/** Of the service's time, at most; passes over many processes are made less often. */
const shareOfTime = 0.02;

/** Of this thread alone: on a full machine the clock on the wall counts the waiting, too. */
const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export class ProcessorUse {
  readonly #members = new TreeMembers();
  #used = new Map<number, number>();
  #machine: { idle: number; all: number } | undefined;
  #passedAt = 0;
  #notBefore = 0;

  /**
   * `boxes`: the project of each, by the process that leads it. `pausedMs`: how long busy boxes stood still since the last look.
   * Undefined: it is too early for another look, and what was found last still holds.
   */
  look(boxes: ReadonlyMap<number, string>, pausedMs: number): BusyProject[] | undefined {
    if (performance.now() < this.#notBefore) return undefined;
    if (!this.#isFull(pausedMs)) {
      this.#used.clear();
      return [];
    }
    const now = performance.now();
    const before = threadMs();
    const busy = this.#pass(boxes, Math.max(tickMs, now - this.#passedAt - pausedMs));
    this.#passedAt = now;
    this.#notBefore = now + (threadMs() - before) / shareOfTime;
    return busy;
  }

  /** Where only a part of the machine is the service's, that part can be full while the machine is not. */
  #isFull(pausedMs: number): boolean {
    const numbers = (readProc('/proc/stat') ?? '')
      .split('\n', 1)[0]
      ?.trim()
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, soft = 0, stolen = 0] =
      numbers ?? [];
    const busy = user + nice + system + irq + soft + stolen;
    const now = { idle: idle + waiting, all: busy + idle + waiting };
    const before = this.#machine;
    this.#machine = now;
    const machine = cpus().length;
    if (availableParallelism() < machine) return true;
    if (!before) return false;
    const paused = (pausedMs / tickMs) * machine;
    return now.idle - before.idle - paused < (now.all - before.all - paused) * idleShare;
  }

  #pass(boxes: ReadonlyMap<number, string>, elapsedMs: number): BusyProject[] {
    const before = this.#used;
    this.#used = new Map();
    const projects = new Map<string, BusyProject & { ms: number }>();
    for (const [pid, box] of this.#members.look(new Set(boxes.keys()))) {
      if (this.#members.isLoading(pid)) continue;
      const fields = statFields(readProc(`/proc/${pid}/stat`) ?? '');
      const ms = (Number(fields[11]) + Number(fields[12])) * tickMs;
      if (Number.isNaN(ms)) continue;
      this.#used.set(pid, ms);
      const since = ms - (before.get(pid) ?? ms);
      const projectId = boxes.get(box) ?? '';
      const project = projects.get(projectId) ?? { projectId, boxes: new Set(), strays: [], ms: 0 };
      projects.set(projectId, project);
      project.ms += since;
      if (since <= elapsedMs * restingShare) continue;
      project.boxes.add(box);
      if (Number(fields[2]) !== box) project.strays.push({ pid, box });
    }
    const active = [...projects.values()].filter(({ ms }) => ms > elapsedMs * restingShare);
    const equalPart = (availableParallelism() * elapsedMs) / (active.length + 1);
    return active.filter(({ ms }) => ms > equalPart / 2);
  }
}
