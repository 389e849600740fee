/** Between a job or a page of it and their rows, in which what the caller asked for is sealed. */
import type { Sealing } from '../../sealing/sealing.ts';
import {
  aboutOf,
  type Database,
  openLargeText,
  type Row,
  rowShape,
  sealLargeText,
} from '../databases/databases.ts';
import type { FirstJobPage, JobPageRecord, JobRecord, JobSummary, NewJobPage } from '../records.ts';

export const jobShape = rowShape<JobSummary, 'remarks' | 'error'>('remarks', 'error');
export const pageShape = rowShape<Omit<JobPageRecord, 'item'>, 'error' | 'file'>('error', 'file');

type SealedJob = Row<JobRecord, 'request' | 'remarks' | 'error'>;

export const summaryColumns = [
  ...(['id', 'project_id', 'kind', 'action', 'name', 'url', 'status', 'concurrency', 'retries'] as const),
  ...([
    'most_pages',
    'seeded',
    'total',
    'done',
    'failed',
    'skipped',
    'remarks',
    'error',
    'webhook_id',
  ] as const),
  ...(['created_at', 'started_at', 'ended_at', 'removed_at'] as const),
] as const;

export async function sealJob(sealing: Sealing, { request, ...summary }: JobRecord): Promise<SealedJob> {
  const sealed = await sealLargeText(sealing, JSON.stringify(request), aboutOf.job(summary.id));
  return { ...jobShape.toRow(summary), request: sealed };
}

export async function openJob(sealing: Sealing, { request, ...row }: SealedJob): Promise<JobRecord> {
  const opened = await openLargeText(sealing, request, aboutOf.job(row.id));
  return { ...jobShape.toRecord(row), request: JSON.parse(opened) };
}

export async function openItem(
  sealing: Sealing,
  { job_id, idx, item }: Pick<Database['job_pages'], 'job_id' | 'idx' | 'item'>,
): Promise<JobPageRecord['item']> {
  return item === null ? null : JSON.parse(await openLargeText(sealing, item, aboutOf.jobItem(job_id, idx)));
}

/** Before the transaction in which it is written: large items are sealed aside, and nothing may wait for that. */
export async function sealItem(
  sealing: Sealing,
  jobId: string,
  idx: number,
  item: FirstJobPage['item'],
): Promise<string | null> {
  if (!item) return null;
  return await sealLargeText(sealing, JSON.stringify(item), aboutOf.jobItem(jobId, idx));
}

/** A new page at its place. */
export const pageRow = (
  jobId: string,
  idx: number,
  page: Omit<NewJobPage, 'key'>,
  { item = null, finished }: { item?: string | null; finished?: { seq: number; at: number } | undefined },
): Database['job_pages'] => ({
  ...pageShape.toRow({
    jobId,
    idx,
    url: page.url,
    depth: page.depth ?? null,
    foundOn: page.foundOn ?? null,
    source: page.source ?? null,
    status: finished ? 'done' : 'queued',
    attempts: 0,
    deaths: 0,
    notBefore: 0,
    bootId: null,
    seq: finished?.seq ?? null,
    finalUrl: null,
    statusCode: null,
    fromCache: 0,
    error: null,
    result: null,
    resultId: null,
    resultNode: null,
    size: 0,
    file: null,
    finishedAt: finished?.at ?? null,
  }),
  item,
});
