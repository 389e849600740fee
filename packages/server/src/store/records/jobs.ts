/** Jobs and their pages. A page is claimed by one boot of the service, and becomes a result exactly once. */
import type { Part } from '../../kit/page-of-list.ts';
import type { NewEvent } from './events.ts';
import type { DeliveryRecord, WebhookRecord } from './webhooks.ts';

export interface JobProblem {
  code: string;
  message: string;
}

export interface JobRecord {
  id: string;
  projectId: string;
  kind: string;
  action: string | null;
  name: string | null;
  url: string | null;
  status: string;
  /** What the caller asked for; opaque to the store, which seals it: it may hold cookies and passwords of proxies. */
  request: Record<string, unknown>;
  concurrency: number;
  retries: number;
  /** Skipped ones do not count. */
  mostPages: number | null;
  /** 1: all that it begins with is among its pages. */
  seeded: number;
  total: number;
  done: number;
  failed: number;
  skipped: number;
  remarks: JobProblem[];
  error: JobProblem | null;
  /** Is told when it ends. */
  webhookId: string | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Its caller has deleted it: it is in no list, and goes bit by bit. */
  removedAt: number | null;
}

export type JobSummary = Omit<JobRecord, 'request'>;

export interface JobPageRecord {
  jobId: string;
  /** Its place among the pages of the job. */
  idx: number;
  url: string | null;
  depth: number | null;
  foundOn: string | null;
  source: string | null;
  /** Sealed, as the request of its job is. */
  item: Record<string, unknown> | null;
  status: 'queued' | 'running' | 'done' | 'failed' | 'skipped';
  attempts: number;
  /** How often the service ended while it worked on it. */
  deaths: number;
  notBefore: number;
  /** The boot that has claimed it. */
  bootId: string | null;
  /** Its place among the results. */
  seq: number | null;
  finalUrl: string | null;
  statusCode: number | null;
  fromCache: number;
  error: JobProblem | null;
  /** JSON, where it is small. */
  result: string | null;
  /** The bytes that hold it, where it is not, and the node that has them. */
  resultId: string | null;
  resultNode: string | null;
  /** Of the result, as it counts for the project. */
  size: number;
  file: Record<string, unknown> | null;
  finishedAt: number | null;
}

/** One that a job begins with. */
export interface FirstJobPage {
  url: string | null;
  key: string | null;
  depth?: number;
  source?: string;
  item?: Record<string, unknown>;
}

/** One that was found. Its key makes that it is added once, however often it is found. */
export interface NewJobPage {
  url: string | null;
  key: string;
  depth?: number;
  foundOn?: string;
  source?: string;
  bucket?: { name: string; most: number; remark: JobProblem };
  finished?: boolean;
}

export type ClaimedPage = Pick<
  JobPageRecord,
  'jobId' | 'idx' | 'url' | 'depth' | 'foundOn' | 'source' | 'item' | 'attempts' | 'deaths'
> & {
  /** The job has all the pages that it takes. */
  jobIsFull: boolean;
};

export interface PageOutcome
  extends Pick<
    JobPageRecord,
    'finalUrl' | 'statusCode' | 'fromCache' | 'error' | 'result' | 'resultId' | 'resultNode' | 'size' | 'file'
  > {
  status: 'done' | 'failed' | 'skipped';
  attempts: number;
  /** Where it ended. Another page of the job has it: this one is skipped. */
  finalKey?: string;
}

/** What is told of a job that has just changed its status, written in the transaction that changed it. */
export type TellOfJob = (job: JobSummary) => { event: NewEvent; delivery?: DeliveryRecord };

/** What is added to a job beside the outcome of a page. */
export interface Finds {
  pages: readonly NewJobPage[];
  remarks: readonly JobProblem[];
}

export interface JobTable {
  /**
   * With the pages that it begins with, which count for the quota of its project as the job does. Many pages take several
   * transactions: the job is there for others once all of them are, and of one that fails midway nothing is.
   * `tooMany`: the project has `most` jobs that are not over. Then, and with `overQuota`, nothing was changed.
   */
  insert(
    record: JobRecord,
    options: {
      bootId: string;
      pages: readonly FirstJobPage[];
      webhook?: WebhookRecord;
      idempotencyKey?: string;
      most: number;
      quotaBytes: number | null;
    },
  ): Promise<'inserted' | 'tooMany' | 'overQuota'>;
  /** Not one that its caller has deleted. */
  get(id: string, projectId: string): Promise<JobSummary | undefined>;
  /** For the work on it. */
  load(id: string): Promise<JobRecord | undefined>;
  /** Newest first. */
  list(query: {
    projectId: string;
    status?: string;
    kind?: string;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<Part<JobSummary>>;
  /** How many pages of each job are being worked on. */
  countRunning(ids: readonly string[]): Promise<Map<string, number>>;
  /** Jobs that are not over: of each project some, the oldest. */
  active(ofEach: number): Promise<Pick<JobRecord, 'id' | 'projectId' | 'url' | 'concurrency' | 'seeded'>[]>;
  /** How many jobs have each of these statuses. */
  countByStatus(statuses: readonly string[]): Promise<{ status: string; count: number }[]>;
  /**
   * The next page of a job, for this boot; its attempt counts from here on. The first one starts the job. Otherwise when one
   * will be due, as far as that is known.
   */
  claim(
    id: string,
    by: { bootId: string; now: number },
    tell: TellOfJob,
  ): Promise<{ page: ClaimedPage } | { dueAt: number | null } | 'over'>;
  /**
   * Makes a claimed page a result, with what was found there, and ends the job with its last page. Of much that was found, most is
   * added in transactions before that one: a page that is visited again because they were the last of its boot finds it known.
   * `duplicate`: it was settled as skipped, and its bytes and its file are of no use.
   * `lost`: the page is no longer this boot's, or the job is over. `overQuota`: it stays claimed.
   */
  settle(
    page: { jobId: string; idx: number },
    by: { bootId: string; now: number },
    outcome: PageOutcome,
    finds: Finds,
    options: { quotaBytes: number | null; tell: TellOfJob },
  ): Promise<'settled' | 'duplicate' | 'lost' | 'overQuota'>;
  /** A claimed page goes back in line. */
  putBack(
    page: { jobId: string; idx: number },
    by: { bootId: string },
    patch: Pick<JobPageRecord, 'attempts' | 'notBefore'>,
  ): Promise<void>;
  /** Pages without an outcome, such as what sitemaps name. With `seeded`, the last of them. */
  addPages(
    id: string,
    finds: Finds,
    options: { seeded: boolean; now: number; quotaBytes: number | null; tell: TellOfJob },
  ): Promise<'added' | 'over' | 'overQuota'>;
  /**
   * What boots had claimed that are gone goes back in line, and jobs that they had not written to their end are removed: of a
   * node that works alone, all others. Returns how many pages.
   */
  reclaim(by: { bootId: string; alone: boolean }): Promise<number>;
  /** What a boot has claimed and not given back. */
  claimedBy(bootId: string): Promise<Pick<JobPageRecord, 'jobId' | 'idx' | 'attempts'>[]>;
  /** Ends a job that is not over; undefined when it is, or is not there. */
  end(
    id: string,
    status: 'cancelled' | 'failed',
    options: { projectId?: string; error?: JobProblem; now: number; tell: TellOfJob },
  ): Promise<JobSummary | undefined>;
  /** From now on it is in no list. False when it is not there. */
  markRemoved(id: string, projectId: string, now: number): Promise<boolean>;
  /** Results after a place, in the order in which they were finished. */
  results(query: {
    jobId: string;
    afterSeq: number;
    status?: JobPageRecord['status'];
    limit: number;
  }): Promise<Part<JobPageRecord>>;
  /** Jobs that were deleted, or ended before this time. */
  past(endedBefore: number, limit: number): Promise<{ id: string; projectId: string }[]>;
  /** Some pages of a job go, and at last the job. The bytes of their results become loose. */
  removeSome(id: string, limit: number): Promise<{ all: boolean; loose: { id: string; nodeId: string }[] }>;
}
