import type { Log } from '../kit/log.ts';
import { type LiveBrowser, type LiveParts, openLive } from './live.ts';

/**
 * Warm Chromium processes that belong to nobody yet. One is taken once and never comes back; a new one is
 * started in the background, one at a time, giving way to the pages that run.
 */
export interface Pool {
  /** Begins to fill. Before that, leftovers of an earlier run can be cleared away. */
  start(): void;
  /** A warm one, the one that is just starting, or a new one. */
  take(engine: 'shell' | 'full', signal?: AbortSignal): Promise<LiveBrowser>;
  size(): { warm: number; wanted: number };
  /** The last failure to start one, for the readiness check. */
  problem(): string | undefined;
  close(): Promise<void>;
}

const longestPause = 30_000;

export function createPool(options: {
  parts: LiveParts;
  engine: 'shell' | 'full';
  size: number;
  log: Log;
}): Pool {
  const warm: LiveBrowser[] = [];
  const waiting: { resolve(live: LiveBrowser): void; reject(error: unknown): void }[] = [];
  let starting: Promise<void> | undefined;
  let hurry: (() => void) | undefined;
  let closed = false;
  let failures = 0;
  let problem: string | undefined;
  let retry: NodeJS.Timeout | undefined;

  const add = (live: LiveBrowser): void => {
    warm.push(live);
    void live.exited.then(async () => {
      const at = warm.indexOf(live);
      if (at === -1) return;
      warm.splice(at, 1);
      await live.discard();
      refill();
    });
  };

  const startOne = async (): Promise<void> => {
    try {
      const live = await openLive(options.parts, {
        engine: options.engine,
        inBackground: waiting.length === 0,
        onSpawn: (raise) => {
          hurry = raise;
          if (waiting.length > 0) raise();
        },
      });
      failures = 0;
      problem = undefined;
      const taker = waiting.shift();
      if (taker) taker.resolve(live);
      else if (closed) await live.discard();
      else add(live);
    } catch (error) {
      failures++;
      problem = (error as Error).message;
      options.log.error({ err: error }, 'pool.start_failed');
      waiting.shift()?.reject(error);
    } finally {
      starting = undefined;
      hurry = undefined;
    }
  };

  const refill = (): void => {
    clearTimeout(retry);
    if (closed || starting || (warm.length >= options.size && waiting.length === 0)) return;
    if (failures > 0 && waiting.length === 0) {
      retry = setTimeout(begin, Math.min(250 * 2 ** failures, longestPause)).unref();
      return;
    }
    begin();
  };
  const begin = (): void => {
    if (closed || starting) return;
    starting = startOne().then(refill);
  };

  return {
    start: refill,
    async take(engine, signal) {
      const ready = engine === options.engine ? warm.shift() : undefined;
      if (ready) {
        // The refill waits a moment: the caller's own next calls come first.
        setImmediate(refill);
        return ready;
      }
      if (engine === options.engine && starting && waiting.length === 0) {
        hurry?.();
        const started = await new Promise<LiveBrowser>((resolve, reject) =>
          waiting.push({ resolve, reject }),
        ).catch(() => undefined);
        // One that came to nothing before anybody wanted it is not the taker's misfortune.
        if (started) return started;
      }
      const live = await openLive(options.parts, { engine, signal });
      refill();
      return live;
    },
    size: () => ({ warm: warm.length, wanted: options.size }),
    problem: () => problem,
    async close() {
      closed = true;
      clearTimeout(retry);
      await starting;
      await Promise.all(warm.splice(0).map((live) => live.discard()));
    },
  };
}
