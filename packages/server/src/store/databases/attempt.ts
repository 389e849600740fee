/** Failures of a database become errors of the API, and a mere collision is tried again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { failureOf, tooSlow } from './failure.ts';

const patienceMs = 3000;
const longestPauseMs = 100;

/**
 * Does work that is one transaction, again while it only met a lock or a concurrent change (SQLite busy,
 * PostgreSQL deadlock or serialization failure: in all of them nothing was done), and for a bounded time.
 * The pauses are asynchronous: a locked SQLite file must not hold up the rest of the service.
 */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure === undefined) throw thrown;
      if (!failure.passing || performance.now() >= giveUpAt) throw failure.error;
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any arguments, kept as they are by the type of the part
type Method = (...args: any[]) => Promise<unknown>;

const soonMs = 3000;

/**
 * The same part; these reads, which every call waits for, give up soon. A database server that is stopped answers nothing,
 * not even that a time is over, so the limit is kept here.
 */
export function answeringSoon<Part extends { [Name in keyof Part]: Method }>(
  part: Part,
  ...reads: (keyof Part)[]
): Part {
  const limited = reads.map((name) => {
    const read: Method = part[name];
    return [name, (...args: unknown[]) => within(soonMs, read(...args))];
  });
  return { ...part, ...Object.fromEntries(limited) };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new ApiError('STORE_UNAVAILABLE', tooSlow)), ms);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same part of the store, each of its methods an attempt. */
export function attempting<Part extends { [Name in keyof Part]: Method }>(part: Part): Part {
  const methods = Object.entries<Method>(part as Record<string, Method>);
  return Object.fromEntries(
    methods.map(([name, method]) => [name, (...args: unknown[]) => attempt(() => method(...args))]),
  ) as Part;
}
