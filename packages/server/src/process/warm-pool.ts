/**
 * Warm processes that belong to no caller yet, whatever runs in them. One is taken once and never comes back; another is
 * started in the background, one at a time, giving way to everything that runs.
 *
 *   take ── a warm one, or the one that is just starting (hurried), or a new one
 *   fill ── start in the background ──> warm          after a failure: again, later and later
 */
import type { Log } from '../kit/log.ts';

export interface Poolable extends AsyncDisposable {
  readonly exited: Promise<unknown>;
}

export interface WarmPool<T extends Poolable> {
  /** Begins to fill. Before that, leftovers of an earlier run can be cleared away. */
  fill(): void;
  take(signal?: AbortSignal): Promise<T>;
  size(): { warm: number; wanted: number };
  /** Why the last one could not be started, for the readiness check. */
  problem(): string | undefined;
  close(): Promise<void>;
}

export interface StartOne {
  inBackground: boolean;
  /** To be called once there is a process, with the switch that ends its giving way. */
  onSpawn(hurry: () => void): void;
  signal: AbortSignal;
}

export interface WarmPoolOptions<T extends Poolable> {
  /** What is in it, for the log. */
  name: string;
  size: number;
  /** How long a refill waits after one was taken: the taker's own work comes first. */
  refillPauseMs: number;
  start(how: StartOne): Promise<T>;
  log?: Log;
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;

export function createWarmPool<T extends Poolable>(options: WarmPoolOptions<T>): WarmPool<T> {
  const warm: T[] = [];
  const end = new AbortController();
  let starting: Promise<T | undefined> | undefined;
  let awaited = false;
  let hurry: (() => void) | undefined;
  let failures = 0;
  let problem: string | undefined;
  let later: NodeJS.Timeout | undefined;

  const onSpawn = (raise: () => void): void => {
    hurry = raise;
    // A taker may have come before there was a process to hurry.
    if (awaited) raise();
  };

  const keep = (one: T): void => {
    warm.push(one);
    void one.exited.then(async () => {
      const at = warm.indexOf(one);
      if (at === -1) return;
      warm.splice(at, 1);
      await one[Symbol.asyncDispose]();
      fill();
    });
  };

  const startOne = async (): Promise<T | undefined> => {
    try {
      const one = await options.start({ inBackground: true, onSpawn, signal: end.signal });
      failures = 0;
      problem = undefined;
      return one;
    } catch (error) {
      if (end.signal.aborted) return undefined;
      failures++;
      problem = (error as Error).message;
      options.log?.error({ err: error, pool: options.name }, 'pool.start_failed');
      return undefined;
    }
  };

  const fill = (): void => {
    clearTimeout(later);
    if (end.signal.aborted || starting || warm.length >= options.size) return;
    hurry = undefined;
    awaited = false;
    starting = startOne();
    void starting.then(async (one) => {
      starting = undefined;
      if (end.signal.aborted) return;
      if (one && !awaited) keep(one);
      if (failures === 0) fill();
      else later = setTimeout(fill, Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)).unref();
    });
  };

  return {
    fill,
    async take(signal) {
      const ready = warm.shift();
      if (ready) {
        clearTimeout(later);
        later = setTimeout(fill, options.refillPauseMs).unref();
        return ready;
      }
      if (starting && !awaited) {
        awaited = true;
        hurry?.();
        const started = await starting;
        // A start that failed before it was wanted is not the taker's failure.
        if (started) return started;
      }
      const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
      return options.start({ inBackground: false, onSpawn: () => undefined, signal: either });
    },
    size: () => ({ warm: warm.length, wanted: options.size }),
    problem: () => problem,
    async close() {
      // What is just starting is ended, not waited for: it may have been giving way for long.
      end.abort(new Error(`the pool of ${options.name} is closed`));
      clearTimeout(later);
      const late = await starting;
      if (late && !awaited) warm.push(late);
      await Promise.all(warm.splice(0).map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
