/** Seals what an older version has stored as it was: once, after the start, beside the daily work. */
import type { Log } from './kit/log.ts';
import type { Store } from './store/records.ts';

export function startResealing({ store, log }: { store: Store; log: Log }): AsyncDisposable {
  const stopped = new AbortController();
  const work = async (): Promise<void> => {
    if (!(await store.sealing.hasUnsealed())) return;
    const { changed, finished } = await store.sealing.reseal(stopped.signal);
    if (changed > 0) log.info({ values: changed, finished }, 'store.sealed');
  };
  const done = work().catch((error: unknown) => log.error({ err: error }, 'store.sealing_failed'));
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await done;
    },
  };
}
