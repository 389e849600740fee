import { constants } from 'node:os';
import { Interrupted } from './failure.ts';

/**
 * Ctrl-C breaks off the request that is under way, and whoever made it still gets to tidy up. A second one ends the
 * program there and then. A reader that has left (`| head`) breaks off the same way, without a word.
 */
const abort = new AbortController();
export const interruption: AbortSignal = abort.signal;

/** Ctrl-C reaches npx and us, and npx passes its copy on: what comes this close together was meant once. */
export const togetherMs = 400;

export function listenForSignals(): void {
  let asked = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      const code = 128 + constants.signals[signal];
      const now = performance.now();
      if (abort.signal.aborted && now - asked > togetherMs) process.exit(code);
      asked = now;
      abort.abort(new Interrupted(code));
    });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    abort.abort(new Interrupted(0));
  });
  process.stderr.on('error', () => {});
}

/** Until it is broken off, for what takes no signal itself. */
export const unlessInterrupted = <Value>(work: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(interruption.reason);
    if (interruption.aborted) return onAbort();
    interruption.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => interruption.removeEventListener('abort', onAbort));
  });
