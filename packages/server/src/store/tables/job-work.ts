/**
 * Whose turn a page is, each method one transaction; those that change a job hold its row:
 *
 *   queued ──claim──> running ──settle──> done, failed, skipped (with the next `seq`; the last one ends the job: job-settle.ts)
 *      ^                 │
 *      └──── putBack ────┘   reclaim: of boots that are gone
 */
import { sql } from 'kysely';
import { inTransaction, type SealedConnection } from '../databases/databases.ts';
import type { Store } from '../records.ts';
import { holdActive, write } from './job-hold.ts';
import { openItem } from './job-row.ts';

type Work = Pick<Store['jobs'], 'claim' | 'claimedBy' | 'putBack' | 'reclaim' | 'end'>;

/** `writing`: the jobs that this process is writing. */
export function jobWork(connection: SealedConnection, writing: ReadonlySet<string>): Work {
  const { kind, db, sealing } = connection;
  return {
    async claim(id, { bootId, now }, tell) {
      const claimed = await inTransaction(connection, async (trx) => {
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
        const jobIsFull = job.mostPages !== null && job.total - job.skipped >= job.mostPages;
        return { row: { ...row, job_id: id, idx: next.idx }, jobIsFull };
      });
      if (claimed === 'over' || claimed.row === undefined) return claimed;
      const { row, jobIsFull } = claimed;
      // A large one is opened aside: not in the transaction, for which others would wait.
      const item = await openItem(sealing, row);
      const { idx, url, depth, found_on: foundOn, source, attempts, deaths } = row;
      return { page: { jobId: id, idx, url, depth, foundOn, source, item, attempts, deaths, jobIsFull } };
    },

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
      const isGone = (boot: 'boot_id' | 'maker') => {
        const isOther = sql<boolean>`${sql.ref(boot)} <> ${bootId}`;
        const living = sql`select boot_id from nodes where state <> 'gone'`;
        return alone ? isOther : sql<boolean>`${isOther} and ${sql.ref(boot)} not in (${living})`;
      };
      const rows = await db
        .updateTable('job_pages')
        .set((eb) => ({
          status: 'queued',
          boot_id: null,
          attempts: eb('attempts', '-', 1),
          deaths: eb('deaths', '+', 1),
        }))
        .where('status', '=', sql.lit('running'))
        .where(isGone('boot_id'))
        .returning('idx')
        .execute();
      const isLeft = sql<boolean>`maker = ${bootId}`;
      const isWritten =
        writing.size > 0 ? sql<boolean>`id in (${sql.join([...writing])})` : sql<boolean>`1 = 0`;
      await db
        .updateTable('jobs')
        .set((eb) => ({ maker: null, removed_at: eb.ref('created_at') }))
        .where('maker', 'is not', null)
        .where((eb) => eb.or([isGone('maker'), eb.and([isLeft, eb.not(isWritten)])]))
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
