import type { Log } from '../kit/log.ts';

/**
 * Warm runners that belong to nobody yet. One is taken once and never comes back; another is started in the
 * background, one at a time, giving way to everything else.
 */
export interface Poolable {
  readonly exited: Promise<unknown>;
  close(): Promise<void>;
}

export interface Pool<T extends Poolable> {
  fill(): void;
  take(): Promise<T>;
  size(): { warm: number; wanted: number };
  /** Why the last one could not be started. */
  problem(): string | undefined;
  close(): Promise<void>;
}

export interface PoolOptions<T extends Poolable> {
  size: number;
  start(options: {
    inBackground: boolean;
    onSpawn(hurry: () => void): void;
    signal: AbortSignal;
  }): Promise<T>;
  log?: Log;
}

const refillPauseMs = 200;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

export function createPool<T extends Poolable>(options: PoolOptions<T>): Pool<T> {
  const warm: T[] = [];
  let starting: Promise<T> | undefined;
  let hurry: (() => void) | undefined;
  let waiting = 0;
  const end = new AbortController();
  let failures = 0;
  let problem: string | undefined;
  let retry: NodeJS.Timeout | undefined;

  const start = (inBackground: boolean): Promise<T> => {
    const onSpawn = (raise: () => void): void => {
      if (!inBackground) return;
      hurry = raise;
      // Somebody may have come before there was a process to hurry.
      if (waiting > 0) raise();
    };
    return options.start({ inBackground, onSpawn, signal: end.signal });
  };

  const keep = (one: T): void => {
    warm.push(one);
    void one.exited.then(() => {
      const at = warm.indexOf(one);
      if (at === -1) return;
      warm.splice(at, 1);
      fill();
    });
  };

  const fill = (): void => {
    clearTimeout(retry);
    if (end.signal.aborted || starting || warm.length >= options.size) return;
    hurry = undefined;
    starting = start(true);
    starting.then(
      (one) => {
        starting = undefined;
        failures = 0;
        problem = undefined;
        if (end.signal.aborted) void one.close();
        else if (waiting === 0) keep(one);
        fill();
      },
      (error: Error) => {
        starting = undefined;
        if (end.signal.aborted) return;
        problem = error.message;
        options.log?.error({ err: error }, 'runner.start_failed');
        retry = setTimeout(fill, Math.min(firstPauseMs * 2 ** failures++, longestPauseMs)).unref();
      },
    );
  };

  return {
    fill,
    async take() {
      const ready = warm.shift();
      // The refill waits a moment: the taker's own work comes first.
      if (ready) retry = setTimeout(fill, refillPauseMs).unref();
      if (ready) return ready;
      if (!starting || waiting > 0) return start(false);
      waiting++;
      hurry?.();
      try {
        return await starting;
      } finally {
        waiting--;
      }
    },
    size: () => ({ warm: warm.length, wanted: options.size }),
    problem: () => problem,
    async close() {
      // What is just starting is not waited for: it may have been giving way for long.
      end.abort();
      clearTimeout(retry);
      await starting?.catch(() => undefined);
      await Promise.all(warm.splice(0).map((one) => one.close()));
    },
  };
}
