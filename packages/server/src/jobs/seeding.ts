/** What a job begins with and must be fetched first, such as sitemaps: once a job, list by list, beside its first pages. */
import type { Slot } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../kit/log.ts';
import type { Store, TellOfJob } from '../store/records.ts';
import { type JobQuick, toolsFor } from './acting.ts';
import type { JobInWork, JobKind, PageInWork } from './kind.ts';
import type { CreateJob } from './schema.ts';

export interface SeedingParts {
  store: Store;
  quick: JobQuick;
  kinds: Record<CreateJob['kind'], JobKind>;
  tell: TellOfJob;
  log: Log;
}

const noPage: PageInWork = { index: 0, url: null, depth: null, foundOn: null, source: null, item: null };

export class Seeding {
  readonly #parts: SeedingParts;
  readonly #under = new Set<string>();

  constructor(parts: SeedingParts) {
    this.#parts = parts;
  }

  isAt(jobId: string): boolean {
    return this.#under.has(jobId);
  }

  async run(job: JobInWork, signal: AbortSignal, onFound: () => void): Promise<void> {
    this.#under.add(job.id);
    try {
      await this.#seed(job, signal, onFound);
    } finally {
      this.#under.delete(job.id);
    }
  }

  async #seed(job: JobInWork, signal: AbortSignal, onFound: () => void): Promise<void> {
    const { store, quick, kinds, tell, log } = this.#parts;
    const add = async (finds: Parameters<Store['jobs']['addPages']>[1], seeded: boolean): Promise<void> => {
      await store.jobs.addPages(job.id, finds, { seeded, now: Date.now(), tell });
      onFound();
    };
    const tools = toolsFor(job, noPage, { quick, signal, admit: noSlot });
    try {
      for await (const { pages, remarks = [] } of kinds[job.request.kind].seeds?.(job, tools) ?? []) {
        signal.throwIfAborted();
        await add({ pages, remarks }, false);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.code === 'STORE_UNAVAILABLE') throw error;
      // The job goes on with what it has: the pages that link to each other are found all the same.
      log.warn({ err: error, jobId: job.id }, 'job.seeds_failed');
      const message =
        'What the job begins with could not be read to its end; the log of the service has more.';
      return await add({ pages: [], remarks: [{ code: 'seeds_incomplete', message }] }, true);
    }
    if (!signal.aborted) await add({ pages: [], remarks: [] }, true);
  }
}

const noSlot = (): Slot => {
  throw new ApiError('CAPACITY_EXHAUSTED', 'What a job begins with is fetched without a browser.');
};
