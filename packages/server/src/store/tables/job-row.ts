/** Between a job or a page of it and their rows, in which what the caller asked for is sealed. */
import type { Sealing } from '../../sealing/sealing.ts';
import { aboutOf, type Database, openLargeText, rowShape, sealLargeText } from '../databases/databases.ts';
import type { JobPageRecord, JobRecord, JobSummary, NewJobPage } from '../records.ts';

export const jobShape = rowShape<JobSummary, 'remarks' | 'error'>('remarks', 'error');
export const pageShape = rowShape<Omit<JobPageRecord, 'item'>, 'error' | 'file'>('error', 'file');

export async function sealJob(
  sealing: Sealing,
  { request, ...summary }: JobRecord,
): Promise<Database['jobs']> {
  const sealed = await sealLargeText(sealing, JSON.stringify(request), aboutOf.job(summary.id));
  return { ...jobShape.toRow(summary), request: sealed };
}

export async function openJob(sealing: Sealing, { request, ...row }: Database['jobs']): Promise<JobRecord> {
  const opened = await openLargeText(sealing, request, aboutOf.job(row.id));
  return { ...jobShape.toRecord(row), request: JSON.parse(opened) };
}

export async function openItem(
  sealing: Sealing,
  { job_id, idx, item }: Pick<Database['job_pages'], 'job_id' | 'idx' | 'item'>,
): Promise<JobPageRecord['item']> {
  return item === null ? null : JSON.parse(await openLargeText(sealing, item, aboutOf.jobItem(job_id, idx)));
}

/** A new page at its place. */
export async function sealPage(
  sealing: Sealing,
  jobId: string,
  idx: number,
  page: NewJobPage,
  finished: { seq: number; at: number } | undefined,
): Promise<Database['job_pages']> {
  const item =
    page.item && (await sealLargeText(sealing, JSON.stringify(page.item), aboutOf.jobItem(jobId, idx)));
  return {
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
    item: item ?? null,
  };
}
