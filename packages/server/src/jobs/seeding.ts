/** What a job begins with and must be fetched first, such as sitemaps: once a job, list by list, beside its first pages. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capacity, Slot } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../kit/log.ts';
import type { Finds, Store, TellOfJob } from '../store/records.ts';
import { type JobQuick, toolsFor } from './acting.ts';
import type { JobInWork, JobKind, PageInWork, Tools } from './kind.ts';
import type { CreateJob } from './schema.ts';

export interface SeedingParts {
  store: Store;
  quick: JobQuick;
  capacity: Pick<Capacity, 'takeSpare' | 'exhausted'>;
  /** Slots that pages of jobs leave free. */
  reserve: number;
  kinds: Record<CreateJob['kind'], JobKind>;
  quotaBytes: number | null;
  tell: TellOfJob;
  log: Log;
}

const unreadable = 'What the job begins with could not be read to its end; the log of the service has more.';
const noRoom =
  'The project has no room for more pages (`QUOTA_EXCEEDED`), so not all that the job begins with is in it. Delete files or jobs that are no longer needed, or ask the operator for more.';
/** While there is no slot. */
const soonMs = 250;
const noPage: PageInWork = {
  index: 0,
  url: null,
  depth: null,
  foundOn: null,
  source: null,
  item: null,
  jobIsFull: false,
};

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
    const { store, kinds, quotaBytes, tell, log } = this.#parts;
    const add = async (finds: Finds, seeded: boolean): Promise<'added' | 'over' | 'overQuota'> => {
      const options = { seeded, now: Date.now(), quotaBytes, tell };
      const added = await store.jobs.addPages(job.id, finds, options);
      onFound();
      return added;
    };
    // The job goes on with what it has: the pages that link to each other are found all the same.
    const leaveRest = (message: string) =>
      add({ pages: [], remarks: [{ code: 'seeds_incomplete', message }] }, true);
    try {
      const seeds = kinds[job.request.kind].seeds?.(job, this.#tools(job, signal)) ?? [];
      for await (const { pages, remarks = [] } of seeds) {
        signal.throwIfAborted();
        if ((await add({ pages, remarks }, false)) === 'overQuota') return void (await leaveRest(noRoom));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.code === 'STORE_UNAVAILABLE') throw error;
      log.warn({ err: error, jobId: job.id }, 'job.seeds_failed');
      return void (await leaveRest(unreadable));
    }
    if (!signal.aborted) await add({ pages: [], remarks: [] }, true);
  }

  /** A page without a slot goes back in line; what is fetched here waits for one. */
  #tools(job: JobInWork, signal: AbortSignal): Tools {
    const { quick, capacity, reserve } = this.#parts;
    const admit = (): Slot => {
      const slot = capacity.takeSpare(job.projectId, reserve);
      if (!slot) throw capacity.exhausted(job.projectId);
      return slot;
    };
    const tools = toolsFor(job, noPage, { quick, signal, admit });
    const fetch: Tools['fetch'] = async (url) => {
      for (;;)
        try {
          return await tools.fetch(url);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'CAPACITY_EXHAUSTED') throw error;
          await sleep(soonMs, undefined, { signal });
        }
    };
    return { ...tools, fetch };
  }
}
