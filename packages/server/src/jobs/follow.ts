/**
 * The results of a job from a place on, in the order in which they were finished. A reader pulls: it holds its place and a
 * few results, so a slow one costs no memory.
 */
import type { Part } from '../kit/page-of-list.ts';
import type { JobPageRecord, JobSummary, Store } from '../store/records.ts';
import type { Results } from './results.ts';
import type { JobResult, ResultStatus } from './schema.ts';

export interface ResultQuery {
  jobId: string;
  afterSeq: number;
  status?: ResultStatus;
}

const readAtOnce = 20;

const isLast = ({ records, cut }: Part<JobPageRecord>): boolean => !cut && records.length < readAtOnce;

/** Pages may be settled by other nodes, which do not call here. */
const lookEveryMs = 1000;

export class JobSignals {
  readonly #waiting = new Map<string, Set<() => void>>();

  changed(jobId: string): void {
    for (const wake of [...(this.#waiting.get(jobId) ?? [])]) wake();
  }

  /** Resolves when something of the job may have changed, the time is over, or the reader has gone. */
  next(jobId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(jobId) ?? new Set();
      this.#waiting.set(jobId, waiting);
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(jobId);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      signal.addEventListener('abort', done);
      waiting.add(done);
      if (signal.aborted) done();
    });
  }
}

export interface FollowParts {
  store: Store;
  results: Results;
  signals: JobSignals;
}

/** All that there are by now. */
export async function* resultsSoFar(
  { store, results }: Pick<FollowParts, 'store' | 'results'>,
  query: ResultQuery,
): AsyncGenerator<JobResult> {
  let { afterSeq } = query;
  for (let areAll = false; !areAll; ) {
    const part = await store.jobs.results({ ...query, afterSeq, limit: readAtOnce });
    for (const page of part.records) {
      yield await results.show(page);
      afterSeq = page.seq ?? afterSeq;
    }
    areAll = isLast(part);
  }
}

/** A place in the results of a job that is followed. */
export class ResultFollower {
  readonly #parts: FollowParts;
  readonly #query: ResultQuery;
  readonly #find: () => Promise<JobSummary>;
  #place: number;

  constructor(parts: FollowParts, query: ResultQuery, find: () => Promise<JobSummary>) {
    this.#parts = parts;
    this.#query = query;
    this.#find = find;
    this.#place = query.afterSeq;
  }

  /**
   * The next results; none when none came in that time. `over`: the job has ended, and these are the last. Throws when the
   * job was deleted.
   */
  async next(waitMs: number, signal: AbortSignal): Promise<{ results: JobResult[]; over?: JobSummary }> {
    const { store, results, signals } = this.#parts;
    const giveUpAt = performance.now() + waitMs;
    for (;;) {
      // Before the results: those of a job that has ended by now are all there.
      const job = await this.#find();
      const part = await store.jobs.results({ ...this.#query, afterSeq: this.#place, limit: readAtOnce });
      const shown: JobResult[] = [];
      for (const page of part.records) shown.push(await results.show(page));
      this.#place = part.records.at(-1)?.seq ?? this.#place;
      if (job.endedAt !== null && isLast(part)) return { results: shown, over: job };
      if (shown.length > 0) return { results: shown };
      const left = giveUpAt - performance.now();
      if (left <= 0 || signal.aborted) return { results: [] };
      await signals.next(this.#query.jobId, Math.min(left, lookEveryMs), signal);
    }
  }
}
