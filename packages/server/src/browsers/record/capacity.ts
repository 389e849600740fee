/**
 * Room for browsers with a running Chromium. Who waits, waits in order, and projects take turns, so that
 * one project's hundred creates do not stand before another's single one.
 */
import { ApiError } from '../../errors.ts';

export interface Slot {
  free(): void;
}

export interface Ticket {
  position(): { position: number; expectedWaitMs: number };
  /** Resolves with the slot; fails when the time is over or the signal fires. */
  slot: Promise<Slot>;
}

interface Waiter {
  projectId: string;
  give(slot: Slot): void;
}

const firstGuessMs = 30_000;

export class Capacity {
  readonly #max: number;
  readonly #maxPerProject: number;
  readonly #queueLimit: number;
  readonly #used = new Map<string, number>();
  readonly #queue: Waiter[] = [];
  /** Whose turn came when, while there is a queue. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  #total = 0;
  #lastFreed: number | undefined;
  #pace = firstGuessMs;

  constructor(limits: { max: number; maxPerProject: number | null; queueLimit: number }) {
    this.#max = limits.max;
    this.#maxPerProject = limits.maxPerProject ?? limits.max;
    this.#queueLimit = limits.queueLimit;
  }

  usage(): { used: number; max: number; waiting: number } {
    return { used: this.#total, max: this.#max, waiting: this.#queue.length };
  }

  /** A slot at once, or undefined. Nobody overtakes those who wait. */
  take(projectId: string): Slot | undefined {
    return this.#queue.length === 0 && this.#hasRoom(projectId) ? this.#occupy(projectId) : undefined;
  }

  /** For browsers that had a slot before the service restarted: they are never turned away. */
  takeBack(projectId: string): Slot {
    return this.#occupy(projectId);
  }

  exhausted(projectId: string): ApiError {
    const mine = this.#used.get(projectId) ?? 0;
    const whose =
      mine >= this.#maxPerProject && this.#total < this.#max ? 'of this project' : 'of this server';
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

  /** Stands in line; throws at once when the line is full. */
  queue(projectId: string, waitMs: number, signal: AbortSignal): Ticket {
    if (this.#queue.length >= this.#queueLimit) throw this.exhausted(projectId);
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const waiter: Waiter = { projectId, give: resolve };
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
    return { slot: promise, position: () => this.#positionOf(waiter) };
  }

  #positionOf(waiter: Waiter): { position: number; expectedWaitMs: number } {
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
    let held = true;
    return {
      free: () => {
        if (!held) return;
        held = false;
        this.#total--;
        const left = (this.#used.get(projectId) ?? 1) - 1;
        if (left > 0) this.#used.set(projectId, left);
        else this.#used.delete(projectId);
        this.#learnPace();
        this.#serve();
      },
    };
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
