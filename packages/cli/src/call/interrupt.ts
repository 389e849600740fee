/**
 * Ctrl-C aborts the request in progress, and the command still gets to clean up. A second Ctrl-C ends the program at
 * once. A closed output (`| head`) aborts in the same way, without a message.
 */
import { constants } from 'node:os';
import { Interrupted } from '../failure.ts';

const abort = new AbortController();
export const interruption: AbortSignal = abort.signal;

/** Ctrl-C reaches npx and this process, and npx passes its copy on: signals this close together are one. */
export const togetherMs = 400;

export function listenForSignals(): void {
  let interruptedAt = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      const code = 128 + constants.signals[signal];
      const now = performance.now();
      if (abort.signal.aborted && now - interruptedAt > togetherMs) process.exit(code);
      interruptedAt = now;
      abort.abort(new Interrupted(code));
    });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    abort.abort(new Interrupted(0));
  });
  process.stderr.on('error', () => {});
}

/** Rejects on Ctrl-C, for work that takes no signal itself. */
export const unlessInterrupted = <Value>(work: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(interruption.reason);
    if (interruption.aborted) return onAbort();
    interruption.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => interruption.removeEventListener('abort', onAbort));
  });
