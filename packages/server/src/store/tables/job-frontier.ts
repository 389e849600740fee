/**
 * What is added to the pages of a job. The caller holds the row of the job, so that places and results are numbered without
 * gaps, and no two pages are taken for one address.
 */
import type { Kysely } from 'kysely';
import { shareOf } from '../../kit/loop-share.ts';
import type { Database } from '../databases/databases.ts';
import type { Finds, JobProblem, JobSummary, NewJobPage } from '../records.ts';
import { bytesOfPage } from './job-room.ts';
import { pageRow } from './job-row.ts';

/** Pages that one transaction adds: on SQLite nothing else is done in those few milliseconds. */
export const pagesAtOnce = 100;
const aboutMs = 3;
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

/** One after the other, each for a transaction of its own; remarks come with the last, which there always is. */
export function piecesOf({ pages, remarks }: Finds): { early: Finds[]; last: Finds } {
  const early: Finds[] = [];
  let start = 0;
  for (; pages.length - start > pagesAtOnce; start += pagesAtOnce)
    early.push({ pages: pages.slice(start, start + pagesAtOnce), remarks: [] });
  return { early, last: { pages: pages.slice(start), remarks } };
}

/** Before each piece but the first: that of a project which adds many waits in its line while others have work. */
export const turnOfPiece = (projectId: string): Promise<void> => shareOf(projectId).turn(aboutMs);

/** Those that are new, as far as there is room for them. Counts them in `change`; returns the bytes that they take. */
export async function addFinds(
  trx: Kysely<Database>,
  job: Pick<JobSummary, 'id' | 'mostPages'>,
  change: JobChange,
  { pages, remarks }: Finds,
  now: number,
): Promise<number> {
  addRemarks(change, remarks);
  if (pages.length === 0) return 0;
  const wanted = await withinBuckets(trx, job.id, await notKnown(trx, job.id, pages), change);
  const room = job.mostPages === null ? wanted.length : job.mostPages - (change.total - change.skipped);
  if (wanted.length > room) addRemarks(change, [maxPagesRemark(job.mostPages ?? 0)]);
  const taken = wanted.slice(0, Math.max(0, room));
  if (taken.length === 0) return 0;
  const rows: Database['job_pages'][] = [];
  const keys: Database['job_keys'][] = [];
  let bytes = 0;
  for (const page of taken) {
    const idx = change.total++;
    const finished = page.finished ? { seq: finishedOf(change) + 1, at: now } : undefined;
    if (finished) change.done++;
    const row = pageRow(job.id, idx, page, { finished });
    bytes += bytesOfPage(row, page.key);
    rows.push(row);
    keys.push({ job_id: job.id, key: page.key, idx, bucket: page.bucket?.name ?? null });
  }
  await trx.insertInto('job_pages').values(rows).execute();
  await trx.insertInto('job_keys').values(keys).execute();
  return bytes;
}

async function notKnown(
  trx: Kysely<Database>,
  jobId: string,
  pages: readonly NewJobPage[],
): Promise<NewJobPage[]> {
  const keys = [...new Set(pages.map(({ key }) => key))];
  const rows = await trx
    .selectFrom('job_keys')
    .select('key')
    .where('job_id', '=', jobId)
    .where('key', 'in', keys)
    .execute();
  const known = new Set(rows.map(({ key }) => key));
  return pages.filter(({ key }) => {
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
