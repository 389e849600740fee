/**
 * Jobs of a project: many pages by one request, worked off by the service. A loop over `crawl`, `batch` or `map` is the
 * whole life of a job: it creates it, gives its results as they are finished, and cancels it when it is left early.
 */
import { BrowserdError } from '../errors.ts';
import type * as types from '../generated/schemas.ts';
import {
  type Api,
  type Body,
  type CallOptions,
  comesBack,
  type Listing,
  listing,
  type OnceOptions,
  type Query,
  randomKey,
  until,
} from '../http/http.ts';
import { type FollowJobOptions, followResults, isOver } from './follow.ts';
import { JobError } from './job-error.ts';

export type { FollowJobOptions } from './follow.ts';
export { JobError } from './job-error.ts';

export type NewJob = Body<'JobController_create'>;
type Of<Kind extends NewJob['kind']> = Omit<Extract<NewJob, { kind: Kind }>, 'kind'>;
export type JobFilter = Omit<Query<'JobController_list'>, 'cursor'>;
export type JobResultFilter = Omit<Query<'JobController_results'>, 'cursor'>;

export interface RunJobOptions extends OnceOptions {
  /** The job goes on when the loop is left early; its results are there by `follow` and `results`. */
  keepRunning?: boolean;
  /** Told of the job once it is created. */
  onCreated?(job: types.Job): void;
}

/** The results of a job, one by one; the value at the end is the job. */
export type JobRun = AsyncGenerator<types.JobResult, types.Job, undefined>;

/** The service needs far less to cancel a job; when it takes longer, it is down. */
const undoMs = 20_000;
const pollMs = 1000;

export class Jobs {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Pages that links and sitemaps of a site lead to, each read as it is found. */
  crawl(site: Of<'crawl'>, options: RunJobOptions = {}): JobRun {
    return this.#run({ ...site, kind: 'crawl' }, options);
  }

  /** The same quick action for many pages. */
  batch(pages: Of<'batch'>, options: RunJobOptions = {}): JobRun {
    return this.#run({ ...pages, kind: 'batch' }, options);
  }

  /** The addresses of a site, without reading its pages. */
  map(site: Of<'map'>, options: RunJobOptions = {}): JobRun {
    return this.#run({ ...site, kind: 'map' }, options);
  }

  /** Answers at once, with the job in its queue. A call that is aborted leaves no job, unless it has a key of your own. */
  async create(job: NewJob, options: OnceOptions = {}): Promise<types.Job> {
    const { signal, idempotencyKey = randomKey() } = options;
    try {
      return await this.#api.json('JobController_create', { body: job }, { ...options, idempotencyKey });
    } catch (error) {
      if (signal?.aborted && options.idempotencyKey === undefined)
        void this.#undo(job, idempotencyKey).catch(() => {});
      throw error;
    }
  }

  /** The same call with the same key answers with the job that was created, which is then deleted. */
  async #undo(job: NewJob, idempotencyKey: string): Promise<void> {
    const { id } = await this.create(job, { idempotencyKey, timeoutMs: undoMs });
    await this.delete(id, { timeoutMs: undoMs });
  }

  get(jobId: string, options: CallOptions = {}): Promise<types.Job> {
    return this.#api.json('JobController_get', { path: { jobId } }, options);
  }

  /** Newest first. */
  list(filter: JobFilter = {}, options: CallOptions = {}): Listing<types.Job> {
    return listing(this.#api, 'JobController_list', { query: filter }, options);
  }

  /** What is under way is given up; results that are there stay. */
  cancel(jobId: string, options: OnceOptions = {}): Promise<types.Job> {
    return this.#api.json('JobController_cancel', { path: { jobId } }, options);
  }

  /** Cancels it if it runs, and removes its results and their files. */
  delete(jobId: string, options: OnceOptions = {}): Promise<types.DeletedJob> {
    return this.#api.json('JobController_delete', { path: { jobId } }, options);
  }

  /** Those that are there now, in the order in which they were finished. */
  results(jobId: string, filter: JobResultFilter = {}, options: CallOptions = {}): Listing<types.JobResult> {
    return listing(this.#api, 'JobController_results', { path: { jobId }, query: filter }, options);
  }

  /**
   * Those that are there and those to come, each once and in order, through broken connections and restarts of the
   * service. It ends with the job, whatever became of it, and leaves the job alone when it is left early.
   */
  follow(jobId: string, options: FollowJobOptions = {}): JobRun {
    return followResults(this.#api, jobId, options);
  }

  /** Waits until the job is over, whatever became of it. `signal` is the only limit. */
  async wait(jobId: string, options: CallOptions = {}): Promise<types.Job> {
    let last: types.Job | undefined;
    const look = async (): Promise<types.Job | undefined> => {
      try {
        last = await this.get(jobId, options);
        return last;
      } catch (error) {
        // a service that never answered is reported at once
        if (last && comesBack(error)) return undefined;
        throw error;
      }
    };
    const over = (job: types.Job | undefined): boolean => job !== undefined && isOver(job);
    return (await until(look, over, { signal: options.signal, everyMs: pollMs })) as types.Job;
  }

  async *#run(body: NewJob, { keepRunning = false, onCreated, ...options }: RunJobOptions): JobRun {
    const { idempotencyKey: _, ...following } = options;
    const job = await this.create(body, options);
    let over = false;
    try {
      onCreated?.(job);
      const ended = yield* this.follow(job.id, following);
      over = true;
      if (ended.status !== 'completed') throw new JobError(ended);
      return ended;
    } finally {
      if (!over && !keepRunning) await this.#giveUp(job.id);
    }
  }

  /** The caller has left for a reason of its own, which a failure here must not hide. */
  async #giveUp(jobId: string): Promise<void> {
    await this.cancel(jobId, { timeoutMs: undoMs }).catch((error: unknown) => {
      if (!(error instanceof BrowserdError)) throw error;
    });
  }
}
