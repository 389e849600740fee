/** Stopping, resuming or closing many browsers: a few at a time, and each failure is told with its browser. */
import type { api, Browser } from '@browserd/sdk';

export type BulkAction = 'stop' | 'resume' | 'close';
export type Listed = Browser & { record: api.Browser };

export interface BulkFailure {
  browser: Listed;
  error: unknown;
}
export interface BulkProgress {
  done: number;
  failures: readonly BulkFailure[];
}

/** More at once would only wait for each other in the service. */
const atATime = 4;

const allowed: Record<BulkAction, (status: api.BrowserStatus) => boolean> = {
  stop: (status) => status === 'ready',
  resume: (status) => status === 'stopped',
  close: (status) => status !== 'closing' && status !== 'closed',
};

/** Those of the chosen browsers whose status lets it be done. */
export const fitFor = (action: BulkAction, browsers: readonly Listed[]): Listed[] =>
  browsers.filter(({ record }) => allowed[action](record.status));

export async function actOnAll(
  action: BulkAction,
  browsers: readonly Listed[],
  signal: AbortSignal,
  onProgress: (progress: BulkProgress) => void,
): Promise<BulkProgress> {
  const left = [...browsers];
  let progress: BulkProgress = { done: 0, failures: [] };
  const note = (failure?: BulkFailure): void => {
    progress = failure
      ? { ...progress, failures: [...progress.failures, failure] }
      : { ...progress, done: progress.done + 1 };
    onProgress(progress);
  };
  const work = async (): Promise<void> => {
    for (let browser = left.shift(); browser && !signal.aborted; browser = left.shift()) {
      const one = browser;
      // what has begun is finished: half of an action is no help
      await one[action]().then(
        () => note(),
        (error) => note({ browser: one, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return progress;
}
