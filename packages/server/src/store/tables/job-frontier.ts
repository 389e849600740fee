/**
 * What is added to the pages of a job. The caller holds the row of the job, so that places and results are numbered without
 * gaps, and no two pages are taken for one address.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Sealing } from '../../sealing/sealing.ts';
import type { Database } from '../databases/databases.ts';
import type { Finds, JobProblem, JobSummary, NewJobPage } from '../records.ts';
import { sealPage } from './job-row.ts';

/** A statement takes at most 32,766 values on SQLite; a page has 24. */
const rowsAtOnce = 500;
/** Of a job: they are for people. */
const mostRemarks = 50;

export type JobChange = Pick<JobSummary, 'total' | 'done' | 'failed' | 'skipped' | 'remarks'>;

export const finishedOf = ({ done, failed, skipped }: JobChange): number => done + failed + skipped;

const maxPagesRemark = (most: number): JobProblem => ({
  code: 'max_pages',
  message: `The job has its ${most} pages (\`maxPages\`); addresses that were found after that are left out.`,
});

export function addRemarks(change: Pick<JobChange, 'remarks'>, remarks: readonly JobProblem[]): void {
  for (const { code, message } of remarks) {
    const known = change.remarks.some((remark) => remark.code === code && remark.message === message);
    if (!known && change.remarks.length < mostRemarks) change.remarks.push({ code, message });
  }
}

/** Those that are new, as far as there is room for them. Counts them in `change`. */
export async function addFinds(
  { trx, sealing }: { trx: Kysely<Database>; sealing: Sealing },
  job: Pick<JobSummary, 'id' | 'mostPages'>,
  change: JobChange,
  { pages, remarks }: Finds,
  now: number,
): Promise<void> {
  addRemarks(change, remarks);
  for (let start = 0; start < pages.length; start += rowsAtOnce) {
    // SQLite works in this very thread: ten thousand pages at once would hold up all callers.
    if (start > 0) await othersTurn();
    const some = pages.slice(start, start + rowsAtOnce);
    const wanted = await withinBuckets(trx, job.id, await notKnown(trx, job.id, some), change);
    const room = job.mostPages === null ? wanted.length : job.mostPages - (change.total - change.skipped);
    if (wanted.length > room) addRemarks(change, [maxPagesRemark(job.mostPages ?? 0)]);
    const taken = wanted.slice(0, Math.max(0, room));
    if (taken.length === 0) continue;
    const rows: Database['job_pages'][] = [];
    const keys: Database['job_keys'][] = [];
    for (const page of taken) {
      const idx = change.total++;
      const finished = page.finished ? { seq: finishedOf(change) + 1, at: now } : undefined;
      if (finished) change.done++;
      rows.push(await sealPage(sealing, job.id, idx, page, finished));
      if (page.key !== null)
        keys.push({ job_id: job.id, key: page.key, idx, bucket: page.bucket?.name ?? null });
    }
    await trx.insertInto('job_pages').values(rows).execute();
    if (keys.length > 0) await trx.insertInto('job_keys').values(keys).execute();
  }
}

async function notKnown(
  trx: Kysely<Database>,
  jobId: string,
  pages: readonly NewJobPage[],
): Promise<NewJobPage[]> {
  const keys = [...new Set(pages.flatMap(({ key }) => key ?? []))];
  if (keys.length === 0) return [...pages];
  const rows = await trx
    .selectFrom('job_keys')
    .select('key')
    .where('job_id', '=', jobId)
    .where('key', 'in', keys)
    .execute();
  const known = new Set(rows.map(({ key }) => key));
  return pages.filter(({ key }) => {
    if (key === null) return true;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

async function withinBuckets(
  trx: Kysely<Database>,
  jobId: string,
  pages: NewJobPage[],
  change: JobChange,
): Promise<NewJobPage[]> {
  const names = [...new Set(pages.flatMap(({ bucket }) => bucket?.name ?? []))];
  if (names.length === 0) return pages;
  const rows = await trx
    .selectFrom('job_keys')
    .select(['bucket', (eb) => eb.fn.countAll<number>().as('count')])
    .where('job_id', '=', jobId)
    .where('bucket', 'in', names)
    .groupBy('bucket')
    .execute();
  const counts = new Map(rows.map(({ bucket, count }) => [bucket, Number(count)]));
  return pages.filter(({ bucket }) => {
    if (!bucket) return true;
    const count = counts.get(bucket.name) ?? 0;
    if (count >= bucket.most) {
      addRemarks(change, [bucket.remark]);
      return false;
    }
    counts.set(bucket.name, count + 1);
    return true;
  });
}
