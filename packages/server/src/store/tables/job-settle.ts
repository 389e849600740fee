/**
 * What came of a page, and where it leads:
 *
 *   addresses found, some at a time ──> the last of them, with the outcome, the counters and, after the last page, the end of the job
 *
 * Each step is a transaction that holds the row of the job: short, because on SQLite all others wait for it. Where a boot dies
 * between two of them, the page is visited again and its addresses are known by their keys, so none is lost or added twice.
 */
import { type Kysely, sql } from 'kysely';
import { type Database, type Kind, rowShape, type SealedConnection } from '../databases/databases.ts';
import type { Finds, JobSummary, PageOutcome, Store, TellOfJob } from '../records.ts';
import { addFinds, finishedOf, type JobChange, piecesOf, turnOfPiece } from './job-frontier.ts';
import { holdActive, write } from './job-hold.ts';
import { chargeJob } from './job-room.ts';
import { bindBytes } from './loose-bytes.ts';
import { orNoRoom } from './project-room.ts';

type Visited = Omit<PageOutcome, 'finalKey'>;

const outcomeShape = rowShape<Visited, 'error' | 'file'>('error', 'file');

/** With its end, when that was the last page. */
async function writeChange(
  trx: Kysely<Database>,
  kind: Kind,
  job: JobSummary,
  change: JobChange & { seeded?: number },
  { now, tell }: { now: number; tell: TellOfJob },
): Promise<void> {
  const isOver = (change.seeded ?? job.seeded) === 1 && finishedOf(change) === change.total;
  if (!isOver) await write(trx, kind, job, change);
  else {
    const startedAt = job.startedAt ?? now;
    await write(trx, kind, job, { ...change, status: 'completed', startedAt, endedAt: now }, tell);
  }
}

const changeOf = ({ total, done, failed, skipped, remarks }: JobSummary): JobChange => ({
  total,
  done,
  failed,
  skipped,
  remarks: [...remarks],
});

/** Of another page of the job: what ended there is in the results already, or will be. */
async function isTaken(
  trx: Kysely<Database>,
  jobId: string,
  { key, idx }: { key: string; idx: number },
): Promise<boolean> {
  const mine = await trx
    .insertInto('job_keys')
    .values({ job_id: jobId, key, idx, bucket: null })
    .onConflict((conflict) => conflict.columns(['job_id', 'key']).doNothing())
    .returning('idx')
    .executeTakeFirst();
  if (mine) return false;
  const owner = await trx
    .selectFrom('job_keys')
    .innerJoin('job_pages', (join) =>
      join.onRef('job_pages.job_id', '=', 'job_keys.job_id').onRef('job_pages.idx', '=', 'job_keys.idx'),
    )
    .select(['job_keys.idx', 'job_pages.status'])
    .where('job_keys.job_id', '=', jobId)
    .where('job_keys.key', '=', key)
    .executeTakeFirst();
  // Two pages that each name the other are one page all the same: the second one stays.
  return owner?.idx !== idx && owner?.status !== 'skipped';
}

const asDuplicate = (outcome: Visited): Visited => ({
  ...outcome,
  status: 'skipped',
  error: {
    code: 'duplicate',
    message: 'It leads to a page that the job has under another address.',
  },
  result: null,
  resultId: null,
  resultNode: null,
  size: 0,
  file: null,
});

/** What is on its own page again has its place once the page is settled. */
const withoutOwn = (finds: Finds, finalKey: string | undefined): Finds => ({
  ...finds,
  pages: finds.pages.filter(({ key }) => key !== finalKey),
});

async function isClaimed(
  trx: Kysely<Database>,
  { jobId, idx }: { jobId: string; idx: number },
  bootId: string,
): Promise<boolean> {
  const page = await trx
    .selectFrom('job_pages')
    .select('idx')
    .where('job_id', '=', jobId)
    .where('idx', '=', idx)
    .where('status', '=', sql.lit('running'))
    .where('boot_id', '=', bootId)
    .executeTakeFirst();
  return page !== undefined;
}

export function jobSettling(connection: SealedConnection): Pick<Store['jobs'], 'settle' | 'addPages'> {
  const { kind } = connection;
  return {
    async settle(page, { bootId, now }, outcome, finds, { quotaBytes, tell }) {
      const { jobId, idx } = page;
      const { finalKey, ...visited } = outcome;
      /** Nothing is done for a page that another boot has now. */
      const whileClaimed = <T>(work: (trx: Kysely<Database>, job: JobSummary) => Promise<T>) =>
        orNoRoom<T | 'lost', 'overQuota'>('overQuota', connection, async (trx) => {
          const job = await holdActive(trx, kind, jobId);
          return job && (await isClaimed(trx, page, bootId)) ? await work(trx, job) : 'lost';
        });
      const { early, last } = piecesOf(withoutOwn(finds, finalKey));
      for (const some of early) {
        const added = await whileClaimed(async (trx, job) => {
          const change = changeOf(job);
          await chargeJob(trx, job, { rows: await addFinds(trx, job, change, some, now) }, quotaBytes);
          await write(trx, kind, job, change);
          return job;
        });
        if (typeof added === 'string') return added;
        await turnOfPiece(added.projectId);
      }
      return await whileClaimed<'settled' | 'duplicate'>(async (trx, job) => {
        const isDuplicate = finalKey !== undefined && (await isTaken(trx, jobId, { key: finalKey, idx }));
        const settled = isDuplicate ? asDuplicate(visited) : visited;
        const change = changeOf(job);
        const seq = finishedOf(change) + 1;
        change[settled.status]++;
        await trx
          .updateTable('job_pages')
          .set({ ...outcomeShape.toRow(settled), seq, boot_id: null, finished_at: now })
          .where('job_id', '=', jobId)
          .where('idx', '=', idx)
          .execute();
        if (settled.resultId !== null) await bindBytes(trx, [settled.resultId]);
        const rows = await addFinds(trx, job, change, last, now);
        await chargeJob(trx, job, { rows, result: settled.size }, quotaBytes);
        await writeChange(trx, kind, job, change, { now, tell });
        return isDuplicate ? 'duplicate' : 'settled';
      });
    },

    async addPages(id, finds, { seeded, now, quotaBytes, tell }) {
      const { early, last } = piecesOf(finds);
      for (const some of [...early, last]) {
        const added = await orNoRoom<JobSummary | 'over', 'overQuota'>(
          'overQuota',
          connection,
          async (trx) => {
            const job = await holdActive(trx, kind, id);
            if (!job) return 'over';
            const change = changeOf(job);
            await chargeJob(trx, job, { rows: await addFinds(trx, job, change, some, now) }, quotaBytes);
            const all = seeded && some === last && { seeded: 1 };
            await writeChange(trx, kind, job, { ...change, ...all }, { now, tell });
            return job;
          },
        );
        if (typeof added === 'string') return added;
        if (some !== last) await turnOfPiece(added.projectId);
      }
      return 'added';
    },
  };
}
