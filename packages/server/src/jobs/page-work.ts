/**
 * One page from its claim to its outcome:
 *
 *   may it be visited now? ──> visit ──> result kept ──> settled, with what was found
 *        │ later, or not here       └─ failed: again after a pause, while that may help and attempts are left
 *        └──> back in line, uncounted      service or job ends: back in line, uncounted
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import type { Log } from '../kit/log.ts';
import { orAborted } from '../kit/or-aborted.ts';
import type { ClaimedPage, Finds, PageOutcome, Store, TellOfJob } from '../store/records.ts';
import type { JobInWork, JobKind, PageInWork, PageSource, Tools, Visited } from './kind.ts';
import { canPass, isBusyAnswer, pauseAfter } from './passing.ts';
import { type KeptResult, letGo, noResult, type Results } from './results.ts';

export interface PageWorkParts {
  store: Store;
  results: Results;
  log: Log;
  bootId: string;
  quotaBytes: number | null;
  tell: TellOfJob;
}

export interface PageAtWork {
  job: JobInWork;
  retries: number;
  page: ClaimedPage;
  kind: JobKind;
  tools: Tools;
}

/** What became of it, for the scheduler. */
export type PageEnd =
  | { what: 'settled'; status: PageOutcome['status'] }
  | { what: 'back'; restMs?: number }
  | { what: 'lost' }
  /** The project has no room for results: the job cannot go on. */
  | { what: 'full'; error: ApiError };

/** A page that ends the service each time must not end it for ever. */
const mostDeaths = 5;
/** While there is no room, and of a page that was not begun. */
const soonMs = 250;
const storeRestMs = 1000;

const nothingFound: Finds = { pages: [], remarks: [] };

type Failure = { code: string; message: string };

export const pageOf = ({ idx, url, depth, foundOn, source, item, jobIsFull }: ClaimedPage): PageInWork => ({
  index: idx,
  url,
  depth,
  foundOn,
  source: source as PageSource | null,
  item,
  jobIsFull,
});

export class PageWork {
  readonly #parts: PageWorkParts;

  constructor(parts: PageWorkParts) {
    this.#parts = parts;
  }

  async run(at: PageAtWork): Promise<PageEnd> {
    const { job, page, kind, tools } = at;
    try {
      if (page.deaths >= mostDeaths) return await this.#settle(at, failed(diedOn(page.deaths)));
      const permission = (await kind.mayVisit?.(job, pageOf(page), tools)) ?? 'now';
      if (permission === 'as it is') return await this.#settle(at, asItIs);
      if (permission !== 'now' && 'skip' in permission)
        return await this.#settle(at, { ...failed(permission.skip), status: 'skipped' });
      if (permission !== 'now') {
        await this.#putBack(at, permission.waitMs);
        return { what: 'back', ...(permission.all && { restMs: permission.waitMs }) };
      }
      const visited = await orAborted(kind.visit(job, pageOf(page), tools), tools.signal);
      if (isBusyAnswer(visited.statusCode) && this.#hasAttempts(at)) {
        letGo(visited);
        return await this.#again(at);
      }
      return await this.#keep(at, visited);
    } catch (error) {
      return await this.#failed(at, error);
    }
  }

  async #keep(at: PageAtWork, visited: Visited): Promise<PageEnd> {
    const { job } = at;
    if (visited.skip) return this.#skip(at, visited, visited.skip);
    const kept = await this.#parts.results.keep(job, visited);
    const { finalUrl, statusCode, fromCache, finalKey, found = [], remarks = [] } = visited;
    const outcome = { status: 'done', finalUrl, statusCode, fromCache: fromCache ? 1 : 0, finalKey } as const;
    return this.#settle(at, { ...outcome, error: null, ...kept }, { pages: found, remarks });
  }

  #skip(at: PageAtWork, visited: Visited, why: Failure): Promise<PageEnd> {
    letGo(visited);
    const { finalUrl, statusCode } = visited;
    return this.#settle(at, { ...failed(why), status: 'skipped', finalUrl, statusCode });
  }

  async #failed(at: PageAtWork, error: unknown): Promise<PageEnd> {
    const { page, tools } = at;
    if (tools.signal.aborted) {
      await this.#putBack(at, 0);
      return { what: 'back' };
    }
    if (isCode(error, 'CAPACITY_EXHAUSTED')) {
      await this.#putBack(at, soonMs);
      return { what: 'back' };
    }
    if (canPass(error) && this.#hasAttempts(at)) return this.#again(at);
    const settled = await this.#settle(at, failed(this.#failureOf(error, page)));
    const isFull = isCode(error, 'QUOTA_EXCEEDED') || isCode(error, 'STORAGE_FULL');
    return isFull && settled.what === 'settled' ? { what: 'full', error: error as ApiError } : settled;
  }

  #hasAttempts({ page, retries }: PageAtWork): boolean {
    return page.attempts <= retries;
  }

  async #again({ page }: PageAtWork): Promise<PageEnd> {
    const { attempts } = page;
    await this.#written(() =>
      this.#parts.store.jobs.putBack(page, this.#parts, {
        attempts,
        notBefore: Date.now() + pauseAfter(attempts),
      }),
    );
    return { what: 'back' };
  }

  /** As if it had not been claimed. */
  async #putBack({ page, tools }: PageAtWork, waitMs: number): Promise<void> {
    const patch = { attempts: page.attempts - 1, notBefore: waitMs === 0 ? 0 : Date.now() + waitMs };
    await this.#written(() => this.#parts.store.jobs.putBack(page, this.#parts, patch), tools.signal);
  }

  async #settle(
    at: PageAtWork,
    outcome: Omit<PageOutcome, 'attempts'> & KeptResult,
    finds: Finds = nothingFound,
  ): Promise<PageEnd> {
    const { store, bootId, quotaBytes, tell, results } = this.#parts;
    const { page, job, tools } = at;
    const settled = { ...outcome, attempts: page.attempts };
    const answer = await this.#written(
      () => store.jobs.settle(page, { bootId, now: Date.now() }, settled, finds, { quotaBytes, tell }),
      tools.signal,
    );
    if (answer === 'settled') return { what: 'settled', status: outcome.status };
    await results.discard(job.projectId, outcome);
    if (answer === 'duplicate') return { what: 'settled', status: 'skipped' };
    if (answer === 'lost') return { what: 'lost' };
    throw new ApiError('QUOTA_EXCEEDED', overQuota, { details: { quotaBytes } });
  }

  /** A database that is away is waited for: the page has been visited, and must not be visited again for that. */
  async #written<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isCode(error, 'STORE_UNAVAILABLE') || signal?.aborted) throw error;
        this.#parts.log.warn({ err: error }, 'job.write_failed');
        await sleep(storeRestMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #failureOf(error: unknown, { jobId, idx }: ClaimedPage): Failure {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    if (error instanceof z.ZodError)
      return { code: 'VALIDATION_FAILED', message: 'The fields of this page are no longer accepted.' };
    this.#parts.log.error({ err: error, jobId, page: idx }, 'job.page_failed');
    return { code: 'INTERNAL', message: 'A fault of the service; its log has more.' };
  }
}

const isCode = (error: unknown, code: ApiError['code']): boolean =>
  error instanceof ApiError && error.code === code;

const failed = (error: Failure): Omit<PageOutcome, 'attempts'> & KeptResult => ({
  status: 'failed',
  finalUrl: null,
  statusCode: null,
  fromCache: 0,
  error,
  ...noResult,
});

/** Only its address is wanted. */
const asItIs: Omit<PageOutcome, 'attempts'> & KeptResult = {
  status: 'done',
  finalUrl: null,
  statusCode: null,
  fromCache: 0,
  error: null,
  ...noResult,
};

const diedOn = (deaths: number): Failure => ({
  code: 'INTERNAL',
  message: `The service ended ${deaths} times while it worked on this page, which is not tried again.`,
});

const overQuota =
  'The project would hold more bytes of files and results than it may. Delete files or jobs that are no longer needed, or ask the operator for more.';
