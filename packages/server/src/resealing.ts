/**
 * Seals what an older version has stored as it was: once, after the start, beside the daily work. Of several nodes one does
 * it; the others look again later, in case it ended before it was done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './kit/log.ts';
import type { Turn } from './kit/turn.ts';
import type { Store } from './store/records.ts';

const lookAgainMs = 600_000;

export function startResealing({
  store,
  log,
  turn,
}: {
  store: Store;
  log: Log;
  turn: Turn;
}): AsyncDisposable {
  const stopped = new AbortController();
  const { signal } = stopped;
  const work = async (): Promise<void> => {
    while (await store.sealing.hasUnsealed()) {
      if (await turn.take('reseal', lookAgainMs)) {
        const { changed, finished } = await store.sealing.reseal(signal);
        if (changed > 0) log.info({ values: changed, finished }, 'store.sealed');
        return;
      }
      await sleep(lookAgainMs, undefined, { signal, ref: false });
    }
  };
  const done = work().catch((error: unknown) => {
    if (!signal.aborted) log.error({ err: error }, 'store.sealing_failed');
  });
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await done;
    },
  };
}
