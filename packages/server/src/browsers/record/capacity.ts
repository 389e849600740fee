/**
 * Room for browsers with a running Chromium. Creates that must wait are served in order, and projects take turns, so
 * that a hundred creates of one project do not stand before a single one of another.
 *
 *   admit ──> Ticket ──slot──> Slot ──move()──> the running browser ──move()──> its recovery ──> disposed: free again
 *
 * A slot has one owner at any time. `move()` hands it on and leaves the old handle empty; disposing an empty handle does
 * nothing. So an owner declares its slot with `using`, and whatever fails on the way gives the slot back.
 *
 * Among several nodes the creates that must wait stand in the table instead, in the same order (store: placement); what waits
 * here then is what needs a slot of this very node: resumes and guests.
 *
 * A project that is alone may take everything. Where there are several, one leaves a quarter of the slots and of the queue
 * to the others, unless the operator has set its limit.
 */
import { ApiError } from '../../errors.ts';

/** The right to run one Chromium. It is given back when it is disposed. */
export interface Slot extends Disposable {
  /** The same slot for its next owner. */
  move(): Slot;
}

/** A slot, or a place in the queue for one. Disposing it leaves the queue, and gives a slot back that was not moved on. */
export interface Ticket extends Disposable {
  /** Whether there was no slot at once. */
  readonly queued: boolean;
  position(): QueuePosition;
  /** Resolves with the slot; fails when the time is over or the signal fires. */
  readonly slot: Promise<Slot>;
}

export interface QueuePosition {
  /** From 1; 0 when it does not wait. */
  position: number;
  expectedWaitMs: number;
}

interface Waiter {
  projectId: string;
  give(slot: Slot): void;
}

const firstGuessMs = 30_000;
/** How often it is asked whether there are other projects: keys are made by people. */
const lookEveryMs = 5000;

/** What one project may have where there are others. */
const shareOf = (all: number): number => Math.max(1, all - Math.ceil(all / 4));

/** For a slot that there was at once. */
export const ticketFor = (slot: Slot): Ticket => ({
  queued: false,
  position: () => ({ position: 0, expectedWaitMs: 0 }),
  slot: Promise.resolve(slot),
  [Symbol.dispose]: () => slot[Symbol.dispose](),
});

export interface CapacityLimits {
  max: number;
  /** Null: a share, where there are several projects. */
  maxPerProject: number | null;
  queueLimit: number;
  countProjects(): Promise<number>;
}

export class Capacity {
  readonly #max: number;
  readonly #fixedPerProject: number | null;
  readonly #queueLimit: number;
  readonly #used = new Map<string, number>();
  readonly #queue: Waiter[] = [];
  /** When each project was last served, while there is a queue. */
  readonly #served = new Map<string, number>();
  readonly #heard = new Set<() => void>();
  #turns = 0;
  #total = 0;
  #lastFreed: number | undefined;
  #pace = firstGuessMs;
  readonly #countProjects: () => Promise<number>;
  #several = false;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(limits: CapacityLimits) {
    this.#max = limits.max;
    this.#fixedPerProject = limits.maxPerProject;
    this.#countProjects = limits.countProjects;
    this.#queueLimit = limits.queueLimit;
  }

  /** Looks whether the project is alone. A database that is away leaves the last answer in force. */
  async look(): Promise<void> {
    this.#looked = performance.now();
    this.#several = (await this.#countProjects().catch(() => (this.#several ? 2 : 1))) > 1;
  }

  get #maxPerProject(): number {
    return this.#fixedPerProject ?? (this.#several ? shareOf(this.#max) : this.#max);
  }

  /** What the operator allows each project, over all nodes. */
  get mostOfProject(): number | undefined {
    return this.#fixedPerProject ?? undefined;
  }

  /** How many creates may wait in the line of this many nodes. */
  lineLimits(nodes: number): { most: number; mostOfProject: number } {
    const most = this.#queueLimit * nodes;
    return { most, mostOfProject: this.#several ? shareOf(most) : most };
  }

  /** Projects that get no further slot here, while others may. */
  fullProjects(): string[] {
    return [...this.#used].filter(([, used]) => used >= this.#maxPerProject).map(([projectId]) => projectId);
  }

  /** The usual time between two slots that are given back. */
  get paceMs(): number {
    return this.#pace;
  }

  usage(): { used: number; max: number; waiting: number } {
    return { used: this.#total, max: this.#max, waiting: this.#queue.length };
  }

  /** A slot at once, or undefined. A create that comes later does not overtake those in the queue. */
  take(projectId: string): Slot | undefined {
    if (performance.now() - this.#looked > lookEveryMs) void this.look();
    return this.#queue.length === 0 && this.#hasRoom(projectId) ? this.#occupy(projectId) : undefined;
  }

  /**
   * A slot for work that can wait, such as a page of a job. It leaves some free, of the server and of the project, for callers
   * who wait for an answer, and takes none while one of them is in the queue. With a limit of one, nothing can be left.
   */
  takeSpare(projectId: string, leave: number): Slot | undefined {
    const open = (limit: number): number => limit - Math.min(leave, limit - 1);
    const mine = this.#used.get(projectId) ?? 0;
    if (this.#total >= open(this.#max) || mine >= open(this.#maxPerProject)) return undefined;
    return this.take(projectId);
  }

  /** Calls back whenever a slot was given back. The return value is the off switch. */
  onFreed(heard: () => void): () => void {
    this.#heard.add(heard);
    return () => void this.#heard.delete(heard);
  }

  /** A slot at once, or a place in the queue for as long as `waitMs` says; throws when there is neither. */
  admit(projectId: string, { waitMs, signal }: { waitMs?: number; signal: AbortSignal }): Ticket {
    const slot = this.take(projectId);
    if (!slot && !waitMs) throw this.exhausted(projectId);
    return slot ? ticketFor(slot) : this.#enqueue(projectId, waitMs ?? 0, signal);
  }

  /** For browsers that had a slot before the service restarted: they are never turned away. */
  takeBack(projectId: string): Slot {
    return this.#occupy(projectId);
  }

  /** `isOfProject`: it is known, from all nodes, that the project has as many as it may. */
  exhausted(projectId: string, isOfProject = false): ApiError {
    const mine = this.#used.get(projectId) ?? 0;
    const isProjectFull = isOfProject || (mine >= this.#maxPerProject && this.#total < this.#max);
    const whose = isProjectFull ? 'of this project' : 'of this server';
    const limit = whose === 'of this project' ? this.#maxPerProject : this.#max;
    const retryAfter = Math.max(1, Math.ceil(this.#pace / 1000));
    return new ApiError(
      'CAPACITY_EXHAUSTED',
      `All ${limit} browsers ${whose} are in use. Close or stop one, retry after ${retryAfter} s, or send \`Prefer: wait=N\` to wait in line.`,
      {
        details: { limit, inUse: this.#total, waiting: this.#queue.length },
        headers: { 'retry-after': String(retryAfter) },
      },
    );
  }

  #enqueue(projectId: string, waitMs: number, signal: AbortSignal): Ticket {
    if (this.#queueIsFull(projectId)) throw this.exhausted(projectId);
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const given = new DisposableStack();
    const waiter: Waiter = { projectId, give: (slot) => resolve(given.use(slot)) };
    this.#queue.push(waiter);
    const leave = (error: unknown) => {
      const at = this.#queue.indexOf(waiter);
      if (at === -1) return;
      this.#queue.splice(at, 1);
      reject(error);
    };
    const timer = setTimeout(() => leave(this.exhausted(projectId)), waitMs);
    const aborted = () => leave(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    };
    promise.then(settled, settled);
    this.#serve();
    return {
      queued: true,
      position: () => this.#positionOf(waiter),
      slot: promise,
      [Symbol.dispose]: () => {
        leave(this.exhausted(projectId));
        given.dispose();
      },
    };
  }

  #queueIsFull(projectId: string): boolean {
    const mine = this.#queue.filter((waiter) => waiter.projectId === projectId).length;
    return this.#queue.length >= this.#queueLimit || (this.#several && mine >= shareOf(this.#queueLimit));
  }

  #positionOf(waiter: Waiter): QueuePosition {
    const position = this.#order().indexOf(waiter) + 1;
    return { position, expectedWaitMs: Math.round(position * this.#pace) };
  }

  /** The queue in the order in which it will be served: one of each project in turn, the longest unserved first. */
  #order(): Waiter[] {
    const turn = new Map<string, number>();
    const lastTurn = ({ projectId }: Waiter): number => this.#served.get(projectId) ?? 0;
    return this.#queue
      .map((waiter, index) => {
        const round = turn.get(waiter.projectId) ?? 0;
        turn.set(waiter.projectId, round + 1);
        return { waiter, round, index };
      })
      .sort((a, b) => a.round - b.round || lastTurn(a.waiter) - lastTurn(b.waiter) || a.index - b.index)
      .map(({ waiter }) => waiter);
  }

  #hasRoom(projectId: string): boolean {
    return this.#total < this.#max && (this.#used.get(projectId) ?? 0) < this.#maxPerProject;
  }

  #occupy(projectId: string): Slot {
    this.#total++;
    this.#used.set(projectId, (this.#used.get(projectId) ?? 0) + 1);
    const slot = new DisposableStack();
    slot.defer(() => this.#free(projectId));
    return slot;
  }

  #free(projectId: string): void {
    this.#total--;
    const left = (this.#used.get(projectId) ?? 1) - 1;
    if (left > 0) this.#used.set(projectId, left);
    else this.#used.delete(projectId);
    this.#learnPace();
    this.#serve();
    for (const heard of this.#heard) heard();
  }

  #learnPace(): void {
    const now = performance.now();
    if (this.#lastFreed !== undefined)
      this.#pace = this.#pace * 0.7 + Math.min(now - this.#lastFreed, 600_000) * 0.3;
    this.#lastFreed = now;
  }

  #serve(): void {
    if (this.#queue.length === 0) this.#served.clear();
    for (const waiter of this.#order()) {
      if (this.#total >= this.#max) return;
      if (!this.#hasRoom(waiter.projectId)) continue;
      this.#queue.splice(this.#queue.indexOf(waiter), 1);
      this.#served.set(waiter.projectId, ++this.#turns);
      waiter.give(this.#occupy(waiter.projectId));
    }
  }
}
