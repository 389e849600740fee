/**
 * The work on jobs, each method one transaction that holds the row of its job:
 *
 *   queued ──claim──> running ──settle──> done, failed, skipped (with the next `seq`; the last one ends the job)
 *      ^                 │
 *      └──── putBack ────┘   reclaim: of boots that are gone
 */
import { type Kysely, sql } from 'kysely';
import {
  type Database,
  inTransaction,
  type Kind,
  rowShape,
  type SealedConnection,
} from '../databases/databases.ts';
import type { DeliveryRecord, JobProblem, JobSummary, PageOutcome, Store, TellOfJob } from '../records.ts';
import { occupy } from './artifacts.ts';
import { insertDeliveries } from './deliveries.ts';
import { hasRoom } from './delivery-room.ts';
import { appendEvents } from './events.ts';
import { addFinds, addRemarks, finishedOf, type JobChange } from './job-frontier.ts';
import { jobShape, openItem } from './job-row.ts';
import { bindBytes } from './loose-bytes.ts';

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

const outcomeShape = rowShape<Omit<PageOutcome, 'finalKey'>, 'error' | 'file'>('error', 'file');

/** Held until the end of the transaction; undefined: it is over, or gone. */
async function holdActive(trx: Kysely<Database>, kind: Kind, id: string): Promise<JobSummary | undefined> {
  const row = await trx
    .selectFrom('jobs')
    .select(summaryColumns)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  return row && jobShape.toRecord(row);
}

async function write(
  trx: Kysely<Database>,
  kind: Kind,
  job: JobSummary,
  patch: Partial<JobSummary>,
  tell?: TellOfJob,
): Promise<JobSummary> {
  await trx.updateTable('jobs').set(jobShape.toPatch(patch)).where('id', '=', job.id).execute();
  const changed = { ...job, ...patch };
  if (!tell) return changed;
  const { event, delivery } = tell(changed);
  if (delivery) await deliver(trx, changed, delivery);
  // last, as all events are
  await appendEvents(trx, kind, [event]);
  return changed;
}

const untold: JobProblem = {
  code: 'webhook_dropped',
  message:
    'The webhook of the job was not told of its end: too many messages of the project wait for receivers that do not take them.',
};

async function deliver(trx: Kysely<Database>, job: JobSummary, delivery: DeliveryRecord): Promise<void> {
  if (await hasRoom(trx, job.projectId)) return insertDeliveries(trx, [delivery]);
  addRemarks(job, [untold]);
  const { remarks } = job;
  await trx.updateTable('jobs').set(jobShape.toPatch({ remarks })).where('id', '=', job.id).execute();
}

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

const asDuplicate = (outcome: PageOutcome): PageOutcome => ({
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

type Work = Pick<
  Store['jobs'],
  'claim' | 'claimedBy' | 'settle' | 'putBack' | 'addPages' | 'reclaim' | 'end'
>;

export function jobWork(connection: SealedConnection): Work {
  const { kind, db, sealing } = connection;
  return {
    claim: (id, { bootId, now }, tell) =>
      inTransaction(connection, async (trx) => {
        const job = await holdActive(trx, kind, id);
        if (!job) return 'over';
        const { running } = await trx
          .selectFrom('job_pages')
          .select((eb) => eb.fn.countAll<number>().as('running'))
          .where('job_id', '=', id)
          .where('status', '=', sql.lit('running'))
          .executeTakeFirstOrThrow();
        if (Number(running) >= job.concurrency) return { dueAt: null };
        const queued = trx
          .selectFrom('job_pages')
          .where('job_id', '=', id)
          .where('status', '=', sql.lit('queued'));
        const next = await queued
          .select('idx')
          .where('not_before', '<=', now)
          .orderBy('idx')
          .limit(1)
          .executeTakeFirst();
        if (!next) {
          const later = await queued.select((eb) => eb.fn.min('not_before').as('due')).executeTakeFirst();
          return { dueAt: later?.due === null || later === undefined ? null : Number(later.due) };
        }
        const row = await trx
          .updateTable('job_pages')
          .set((eb) => ({ status: 'running', boot_id: bootId, attempts: eb('attempts', '+', 1) }))
          .where('job_id', '=', id)
          .where('idx', '=', next.idx)
          .returning(['url', 'depth', 'found_on', 'source', 'item', 'attempts', 'deaths'])
          .executeTakeFirstOrThrow();
        if (job.status === 'queued') await write(trx, kind, job, { status: 'running', startedAt: now }, tell);
        const place = { jobId: id, idx: next.idx };
        const { url, depth, source, attempts, deaths } = row;
        const item = await openItem(sealing, { ...row, job_id: id, idx: next.idx });
        const jobIsFull = job.mostPages !== null && job.total - job.skipped >= job.mostPages;
        const facts = { url, depth, foundOn: row.found_on, source, item, attempts, deaths };
        return { page: { ...place, ...facts, jobIsFull } };
      }),

    settle: ({ jobId, idx }, { bootId, now }, outcome, finds, { quotaBytes, tell }) =>
      inTransaction(connection, async (trx) => {
        const job = await holdActive(trx, kind, jobId);
        if (!job) return 'lost';
        const page = await trx
          .selectFrom('job_pages')
          .select('idx')
          .where('job_id', '=', jobId)
          .where('idx', '=', idx)
          .where('status', '=', sql.lit('running'))
          .where('boot_id', '=', bootId)
          .executeTakeFirst();
        if (!page) return 'lost';
        if (outcome.size > 0 && !(await occupy(trx, job.projectId, outcome.size, quotaBytes)))
          return 'overQuota';
        const { finalKey } = outcome;
        const isDuplicate = finalKey !== undefined && (await isTaken(trx, jobId, { key: finalKey, idx }));
        if (isDuplicate) await occupy(trx, job.projectId, -outcome.size, null);
        const { finalKey: _, ...settled } = isDuplicate ? asDuplicate(outcome) : outcome;
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
        await addFinds({ trx, sealing }, job, change, finds, now);
        await writeChange(trx, kind, job, change, { now, tell });
        return isDuplicate ? 'duplicate' : 'settled';
      }),

    async putBack({ jobId, idx }, { bootId }, { attempts, notBefore }) {
      await db
        .updateTable('job_pages')
        .set({ status: 'queued', boot_id: null, attempts, not_before: notBefore })
        .where('job_id', '=', jobId)
        .where('idx', '=', idx)
        .where('status', '=', sql.lit('running'))
        .where('boot_id', '=', bootId)
        .execute();
    },

    addPages: (id, finds, { seeded, now, tell }) =>
      inTransaction(connection, async (trx) => {
        const job = await holdActive(trx, kind, id);
        if (!job) return 'over';
        const change = changeOf(job);
        await addFinds({ trx, sealing }, job, change, finds, now);
        await writeChange(trx, kind, job, { ...change, ...(seeded && { seeded: 1 }) }, { now, tell });
        return 'added';
      }),

    async claimedBy(bootId) {
      const rows = await db
        .selectFrom('job_pages')
        .select(['job_id', 'idx', 'attempts'])
        .where('status', '=', sql.lit('running'))
        .where('boot_id', '=', bootId)
        .execute();
      return rows.map(({ job_id: jobId, idx, attempts }) => ({ jobId, idx, attempts }));
    },

    async reclaim({ bootId, alone }) {
      const rows = await db
        .updateTable('job_pages')
        .set((eb) => ({
          status: 'queued',
          boot_id: null,
          attempts: eb('attempts', '-', 1),
          deaths: eb('deaths', '+', 1),
        }))
        .where('status', '=', sql.lit('running'))
        .where('boot_id', '<>', bootId)
        .$if(!alone, (query) =>
          query.where('boot_id', 'not in', (eb) =>
            eb.selectFrom('nodes').select('boot_id').where('state', '<>', 'gone'),
          ),
        )
        .returning('idx')
        .execute();
      return rows.length;
    },

    end: (id, status, { projectId, error, now, tell }) =>
      inTransaction(connection, async (trx) => {
        const job = await holdActive(trx, kind, id);
        if (!job || (projectId !== undefined && job.projectId !== projectId)) return undefined;
        return write(trx, kind, job, { status, endedAt: now, error: error ?? null }, tell);
      }),
  };
}
