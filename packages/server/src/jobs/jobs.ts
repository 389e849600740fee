/**
 * The door to jobs: many pages in one request, worked on beside everything else.
 *
 *   create ──> record and first pages ──> scheduler ──> results, in the order in which they were finished
 *
 * A job is its rows. A service that is killed finds it where it was, and any node of the database may work on it.
 */
import type { KeptBytes } from '../artifacts/artifacts.ts';
import { ApiError } from '../errors.ts';
import type { Webhooks } from '../events/events.ts';
import { newId } from '../kit/id.ts';
import { inSteps, shareOf } from '../kit/loop-share.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { JobRecord, JobSummary, Store } from '../store/records.ts';
import { batch, checkBatch, checkCrawl } from './batch.ts';
import { openCrawls } from './crawl/crawl.ts';
import { type FollowParts, JobSignals, ResultFollower, resultsSoFar } from './follow.ts';
import type { JobKind } from './kind.ts';
import { PageWork } from './page-work.ts';
import type { PastJobs } from './past-jobs.ts';
import { placeOf, type ResultPage, type ResultPageQuery, resultPage } from './result-page.ts';
import { type ResultParts, Results } from './results.ts';
import { Scheduler, type SchedulerParts } from './scheduler.ts';
import type { CreatedJob, CreateJob, Job, JobResult, ResultStatus } from './schema.ts';
import { Seeding } from './seeding.ts';
import { jobView, tellOfJob } from './view.ts';

export type { ResultFollower } from './follow.ts';
export type { JobKind } from './kind.ts';
export { PastJobs } from './past-jobs.ts';

export interface JobsParts
  extends Pick<
      SchedulerParts,
      'quick' | 'capacity' | 'reserve' | 'log' | 'bootId' | 'alone' | 'turn' | 'onPage'
    >,
    Omit<ResultParts, 'bytes'> {
  store: Store;
  bytes: KeptBytes;
  webhooks: Pick<Webhooks, 'ofJob'>;
  past: PastJobs;
  /** Jobs of a project that are not over. */
  mostOpen: number;
  /** How long an ended job is kept. */
  retentionMs: number;
}

export class Jobs {
  readonly #parts: JobsParts;
  readonly #scheduler: Scheduler;
  readonly #follow: FollowParts;
  readonly #kinds: Record<CreateJob['kind'], JobKind>;
  readonly #tell: ReturnType<typeof tellOfJob>;

  constructor(parts: JobsParts) {
    this.#parts = parts;
    const { store, bytes, log, bootId } = parts;
    const signals = new JobSignals();
    const results = new Results(parts);
    this.#follow = { store, results, signals };
    const { crawl, map } = openCrawls();
    this.#kinds = { batch: batch as JobKind, crawl: crawl as JobKind, map: map as JobKind };
    this.#tell = tellOfJob(parts.retentionMs);
    const quotaBytes = bytes.quota.bytes;
    const common = { ...parts, kinds: this.#kinds, tell: this.#tell, quotaBytes };
    this.#scheduler = new Scheduler({
      ...common,
      work: new PageWork({ store, results, log, bootId, quotaBytes, tell: this.#tell }),
      seeding: new Seeding(common),
      changed: (jobId) => signals.changed(jobId),
    });
  }

  /** Works on jobs from now on, until it is disposed of. */
  start(): AsyncDisposable {
    this.#scheduler.start();
    return { [Symbol.asyncDispose]: () => this.#scheduler.close() };
  }

  /** Pages at work on this node. */
  running(): number {
    return this.#scheduler.running();
  }

  /** Throws a `ZodError` for what only a look at each item can tell. */
  async create(
    projectId: string,
    request: CreateJob,
    once: { idempotencyKey?: string; madeBefore?: string } = {},
  ): Promise<CreatedJob> {
    const before = once.madeBefore && (await this.#parts.store.jobs.get(once.madeBefore, projectId));
    if (before) return this.#created(before, request);
    if (request.kind === 'batch') await inSteps(shareOf(projectId), checkBatch(request));
    else checkCrawl(request);
    const { store, bytes, webhooks, bootId, mostOpen } = this.#parts;
    const webhook = request.webhook && webhooks.ofJob(projectId, request.webhook);
    const kind = this.#kinds[request.kind];
    const record = recordOf(projectId, request, {
      webhookId: webhook?.id ?? null,
      seeded: kind.seeds ? 0 : 1,
    });
    const inserted = await store.jobs.insert(record, {
      bootId,
      pages: kind.first(request),
      webhook,
      idempotencyKey: once.idempotencyKey,
      most: mostOpen,
      quotaBytes: bytes.quota.bytes,
    });
    if (inserted === 'tooMany') throw tooMany(mostOpen);
    if (inserted === 'overQuota') throw bytes.quota.exceeded(await store.artifacts.usage(projectId));
    this.#scheduler.look();
    return this.#created(await this.#find(projectId, record.id), request);
  }

  async list(
    projectId: string,
    query: PageQuery & { status?: string; kind?: string },
  ): Promise<ListPage<Job>> {
    const { store } = this.#parts;
    const { status, kind, ...page } = query;
    let running = new Map<string, number>();
    return pageOfList(
      page,
      async (place) => {
        const found = await store.jobs.list({ projectId, status, kind, ...place });
        running = await store.jobs.countRunning(found.records.map(({ id }) => id));
        return found;
      },
      (job) => this.#view(job, running.get(job.id)),
    );
  }

  async get(projectId: string, id: string): Promise<Job> {
    const job = await this.#find(projectId, id);
    const running = await this.#parts.store.jobs.countRunning([id]);
    return this.#view(job, running.get(id));
  }

  /** What is done stays; what was at work goes back in line for ever. */
  async cancel(projectId: string, id: string): Promise<Job> {
    const ended = await this.#end(projectId, id);
    if (ended) return this.#view(ended);
    const { status } = await this.#find(projectId, id);
    throw new ApiError('JOB_NOT_RUNNING', `The job is ${status} already. There is nothing to cancel.`, {
      details: { status },
    });
  }

  /** When it returns, nothing of it is left. */
  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    const { store, past } = this.#parts;
    await this.#end(projectId, id);
    if (!(await store.jobs.markRemoved(id, projectId, Date.now()))) throw jobGone();
    this.#follow.signals.changed(id);
    await past.remove({ id, projectId });
    return { id, deleted: true };
  }

  async results(projectId: string, id: string, query: ResultPageQuery): Promise<ResultPage> {
    await this.#find(projectId, id);
    return resultPage({ ...this.#follow, share: shareOf(projectId) }, id, query);
  }

  /** All that there are by now, one after the other. */
  async allResults(
    projectId: string,
    jobId: string,
    { status, cursor }: { status?: ResultStatus; cursor?: string },
  ): Promise<AsyncGenerator<JobResult>> {
    await this.#find(projectId, jobId);
    return resultsSoFar(this.#follow, { jobId, status, afterSeq: placeOf(cursor) });
  }

  /** Those that there are and those that come, until the job ends. */
  async follow(
    projectId: string,
    jobId: string,
    { status, cursor }: { status?: ResultStatus; cursor?: string },
  ): Promise<ResultFollower> {
    await this.#find(projectId, jobId);
    const query = { jobId, status, afterSeq: placeOf(cursor) };
    return new ResultFollower(this.#follow, query, () => this.#find(projectId, jobId));
  }

  show(job: JobSummary): Job {
    return this.#view(job);
  }

  async #end(projectId: string, id: string): Promise<JobSummary | undefined> {
    const options = { projectId, now: Date.now(), tell: this.#tell };
    const ended = await this.#parts.store.jobs.end(id, 'cancelled', options);
    if (ended) this.#scheduler.forget(id);
    return ended;
  }

  #view(job: JobSummary, running = 0): Job {
    return jobView(job, { now: Date.now(), running, retentionMs: this.#parts.retentionMs });
  }

  async #created(job: JobSummary, request: CreateJob): Promise<CreatedJob> {
    const shown = this.#view(job);
    if (job.webhookId === null || request.webhook?.secret !== undefined) return shown;
    const webhook = await this.#parts.store.webhooks.get(job.webhookId);
    return { ...shown, ...(webhook && { webhookSecret: webhook.secret }) };
  }

  async #find(projectId: string, id: string): Promise<JobSummary> {
    const job = await this.#parts.store.jobs.get(id, projectId);
    if (!job) throw jobGone();
    return job;
  }
}

function recordOf(
  projectId: string,
  request: CreateJob,
  more: Pick<JobRecord, 'webhookId' | 'seeded'>,
): JobRecord {
  const { kind, name, concurrency, retries, webhook: _, ...asked } = request;
  const { items: _items, ...kept } = { items: undefined, ...asked };
  return {
    id: newId('job'),
    projectId,
    kind,
    action: 'action' in request ? request.action : null,
    name: name ?? null,
    url: 'url' in request ? request.url : null,
    status: 'queued',
    request: { kind, concurrency, retries, ...kept },
    concurrency,
    retries,
    mostPages: 'maxPages' in request ? request.maxPages : null,
    total: 0,
    done: 0,
    failed: 0,
    skipped: 0,
    remarks: [],
    error: null,
    createdAt: Date.now(),
    startedAt: null,
    endedAt: null,
    removedAt: null,
    ...more,
  };
}

const jobGone = (): ApiError =>
  new ApiError('JOB_NOT_FOUND', 'There is no job with this id in the project of the key.');

const tooMany = (most: number): ApiError =>
  new ApiError(
    'TOO_MANY_JOBS',
    `The project has ${most} jobs that are not over, as many as it may. Wait until one ends, or cancel one.`,
    { headers: { 'retry-after': '10' }, details: { limit: most } },
  );

/** Slots that pages of jobs leave free, where the operator has not said. */
const reserveOf = (maxBrowsers: number): number => Math.min(8, Math.ceil(maxBrowsers / 4));

/** Builds this room; `config` holds what the operator decides. */
export function openJobs({
  config,
  artifacts,
  node,
  masks,
  ...parts
}: Omit<JobsParts, 'bytes' | 'bootId' | 'alone' | 'reserve' | 'mostOpen' | 'retentionMs' | 'mask'> & {
  config: {
    jobsReserve: number | null;
    maxBrowsers: number;
    maxJobsPerProject: number;
    retention: number;
  };
  artifacts: { bytes: KeptBytes };
  node: { bootId: string; alone: boolean };
  masks: { json(projectId: string, json: string): string };
}): Jobs {
  return new Jobs({
    ...parts,
    bytes: artifacts.bytes,
    bootId: node.bootId,
    alone: node.alone,
    reserve: config.jobsReserve ?? reserveOf(config.maxBrowsers),
    mostOpen: config.maxJobsPerProject,
    retentionMs: config.retention,
    mask: (projectId, json) => masks.json(projectId, json),
  });
}
