/**
 * One call of user code, from `run` to `done`. Whatever the code starts (timers, listeners, Playwright operations
 * without an await) belongs to its call and ends with it, so that nothing of it acts or logs in the next one. `calls`
 * knows, anywhere in an asynchronous chain, which call it is part of.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

export const calls = new AsyncLocalStorage<Call>();

export class Call {
  readonly number: number;
  readonly timeoutMs: number;
  /** Rejects when something outside the awaited chain went wrong, such as a throw in a timer. */
  readonly failed: Promise<never>;
  readonly #started = performance.now();
  readonly #over = new AbortController();
  readonly #timers = new Map<number, NodeJS.Timeout | NodeJS.Immediate>();
  readonly #running = new Map<object, string>();
  readonly #cleanups = new Map<unknown, () => unknown>();
  #lastTimer = 0;
  #fail: (error: unknown) => void = () => undefined;

  constructor(number: number, timeoutMs: number) {
    this.number = number;
    this.timeoutMs = timeoutMs;
    setMaxListeners(0, this.#over.signal);
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  get ended(): boolean {
    return this.#over.signal.aborted;
  }

  /** Aborted when the call ends. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  remainingMs(): number {
    return this.timeoutMs - (performance.now() - this.#started);
  }

  fail(error: unknown): void {
    this.#fail(error);
  }

  startTimer(kind: 'timeout' | 'interval' | 'immediate', callback: () => void, ms = 0): number {
    const id = ++this.#lastTimer;
    const fire = (): void => {
      if (kind !== 'interval') this.#timers.delete(id);
      try {
        callback();
      } catch (error) {
        this.fail(error);
      }
    };
    if (this.ended) return id;
    const start = kind === 'interval' ? setInterval : setTimeout;
    this.#timers.set(id, kind === 'immediate' ? setImmediate(fire) : start(fire, ms));
    return id;
  }

  stopTimer(id: unknown): void {
    const timer = this.#timers.get(id as number);
    if (!timer) return;
    this.#timers.delete(id as number);
    clearTimeout(timer as NodeJS.Timeout);
    clearImmediate(timer as NodeJS.Immediate);
  }

  /** Notes an operation that is under way, so that the end can say what was left running. */
  async track<T>(name: string, operation: Promise<T>): Promise<T> {
    const key = {};
    this.#running.set(key, name);
    try {
      return await operation;
    } finally {
      this.#running.delete(key);
    }
  }

  leftRunning(): string[] {
    return [...new Set(this.#running.values())];
  }

  /** `key` keeps the same clean-up from being noted twice, and lets it be taken back. */
  atEnd(key: unknown, cleanup: () => unknown): void {
    this.#cleanups.set(key, cleanup);
  }

  notAtEnd(key: unknown): void {
    this.#cleanups.delete(key);
  }

  async end(patienceMs: number): Promise<void> {
    this.#over.abort(new Error('The script has ended.'));
    for (const id of [...this.#timers.keys()]) this.stopTimer(id);
    const work = [...this.#cleanups.values()].map(async (cleanup) => cleanup());
    this.#cleanups.clear();
    if (work.length === 0) return;
    let alarm: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      alarm = setTimeout(resolve, patienceMs);
    });
    await Promise.race([Promise.allSettled(work), late]);
    clearTimeout(alarm);
  }
}
