/**
 * What a kind of job knows; all else about jobs (rows, leases, retries, fairness, slots, results) is the same for all kinds.
 *
 *   POST /v1/jobs ──> first(request): pages known at once, written with the record of the job
 *   started       ──> seeds(job): more pages that must be fetched first (sitemaps); the job is not over before they are in
 *   a page's turn ──> mayVisit(job, page): now · later, and uncounted · never, and why · not needed
 *                 ──> visit(job, page, tools): the outcome, and the addresses found there
 *
 * The found pages are written before the outcome of the page, or with it, so a service that is killed visits at most the
 * pages under way once more, and no page is in the results twice. `seeds` and `visit` may therefore run
 * again for the same page: a kind keeps in memory only what it can do without (the pace of a host, rules of robots.txt).
 *
 * What is found may be given as often as it is found: a `key` is taken once in a job. A `bucket` bounds pages that look
 * endless (a calendar): no more than `most` keys of a job are taken under one name, also over restarts, and what was
 * refused is said in the job's remarks once. The number of pages of a job (`maxPages`) is kept by the store in the same way.
 */
import type { Readable } from 'node:stream';
import type { FetchedFile, Onward } from '../quick/quick.ts';
import type { QuickScraped } from '../quick/schema.ts';
import type { CreateJob, JobAction, Remark } from './schema.ts';

export interface JobInWork<R extends CreateJob = CreateJob> {
  id: string;
  projectId: string;
  /** As the caller sent it, checked and with its defaults; `items` of a batch are pages, and not in it. */
  request: R;
  action: JobAction | null;
}

export interface PageInWork {
  /** The place among the pages of the job: of a batch, that of the item. */
  index: number;
  url: string | null;
  depth: number | null;
  foundOn: string | null;
  source: PageSource | null;
  /** What the caller sent for this page alone. */
  item: Record<string, unknown> | null;
  /** The job has all the pages it takes: what is found here would be left out. */
  jobIsFull: boolean;
}

export type PageSource = 'start' | 'link' | 'sitemap';

/** That a job begins with. */
export interface FirstPage {
  url: string | null;
  /** One address, however it is written; null: a page that is never the same as another. */
  key: string | null;
  depth?: number;
  source?: PageSource;
  item?: Record<string, unknown>;
}

export interface NewPage {
  url: string;
  key: string;
  depth?: number;
  foundOn?: string;
  source?: PageSource;
  bucket?: { name: string; most: number; remark: Remark };
  /** It is a result as it is, and is not visited. */
  finished?: boolean;
}

export type Permission =
  | 'now'
  /** It is a result without a visit. */
  | 'as it is'
  /** The page goes back in line; with `all`, the other pages of the job wait as long. */
  | { waitMs: number; all?: boolean }
  | { skip: { code: string; message: string } };

export interface Visited {
  finalUrl: string | null;
  statusCode: number | null;
  fromCache?: boolean;
  scraped?: QuickScraped;
  capture?: Capture;
  /**
   * The key of where it ended (redirects, canonical address). When another page of the job has it, this one is `skipped` as
   * a duplicate; otherwise it is taken, and the page is not found again under it.
   */
  finalKey?: string;
  found?: NewPage[];
  remarks?: Remark[];
  /** The visit showed that it is no page of the job: nothing of it is kept. */
  skip?: Remark;
  /** Of a kind that goes on from its pages: where this one leads. */
  onward?: Onward;
  /** The header of the answer. */
  retryAfter?: string;
}

/** Becomes a file of the project. */
export interface Capture {
  name: string;
  mimeType: string;
  content: Buffer | Readable;
}

export interface Tools {
  /** The job is cancelled or deleted, or the service ends. */
  signal: AbortSignal;
  /** The job's action on a page, as a quick action of the project: the job's `options` with these fields over them. */
  act(fields: Record<string, unknown>): Promise<Visited>;
  /** A file of a site, through the exit of the project, as pages of the job get it. */
  fetch(url: string): Promise<FetchedFile>;
}

export interface JobKind<R extends CreateJob = CreateJob> {
  /** Pages lead to pages: `act` says where to. */
  readonly goesOn?: boolean;
  first(request: R): FirstPage[];
  /** Asked once a job, and again after a restart that came too early. Each list is written before the next is asked for. */
  seeds?(job: JobInWork<R>, tools: Tools): AsyncIterable<{ pages: NewPage[]; remarks?: Remark[] }>;
  mayVisit?(job: JobInWork<R>, page: PageInWork, tools: Tools): Promise<Permission>;
  visit(job: JobInWork<R>, page: PageInWork, tools: Tools): Promise<Visited>;
  /** What is remembered of the job in memory is no longer needed here. */
  over?(jobId: string): void;
}
