/** Jobs as their callers see them: listed, read and removed. How they are made is in job-insert.ts, the work on them in job-work.ts. */
import { type Kysely, sql } from 'kysely';
import { type Database, inTransaction, type SealedConnection } from '../databases/databases.ts';
import type { JobPageRecord, Store } from '../records.ts';
import { loosen } from './artifacts.ts';
import { insertJob } from './job-insert.ts';
import { jobShape, openJob, pageShape, summaryColumns } from './job-row.ts';
import { jobSettling } from './job-settle.ts';
import { jobWork } from './job-work.ts';
import { lightPage, lightRows } from './light-page.ts';

/** All but what its caller asked for it. */
const resultColumns = [
  ...(['job_id', 'idx', 'url', 'depth', 'found_on', 'source', 'status', 'attempts', 'deaths'] as const),
  ...(['not_before', 'boot_id', 'seq', 'final_url', 'status_code', 'from_cache', 'error', 'result'] as const),
  ...(['result_id', 'result_node', 'size', 'file', 'finished_at'] as const),
] as const;

export function jobs(connection: SealedConnection): Store['jobs'] {
  const { kind, db, sealing } = connection;
  /** Jobs that are being written here. */
  const writing = new Set<string>();
  return {
    ...jobWork(connection, writing),
    ...jobSettling(connection),
    insert: insertJob(connection, writing),

    async get(id, projectId) {
      const row = await db
        .selectFrom('jobs')
        .select(summaryColumns)
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .where('maker', 'is', null)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return row && jobShape.toRecord(row);
    },

    async load(id) {
      const row = await db
        .selectFrom('jobs')
        .select([...summaryColumns, 'request'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row && openJob(sealing, row);
    },

    async list({ projectId, status, kind, after, limit }) {
      let query = db
        .selectFrom('jobs')
        .select(['id', 'created_at'])
        .where('project_id', '=', projectId)
        .where('maker', 'is', null)
        .where('removed_at', 'is', null);
      if (status !== undefined) query = query.where('status', '=', status);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      return lightPage(db, projectId, {
        table: 'jobs',
        columns: summaryColumns,
        places: query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).as('page'),
        weighed: ['url', 'remarks', 'error'],
        toRecord: jobShape.toRecord,
      });
    },

    async countRunning(ids) {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('job_pages')
        .select(['job_id', (eb) => eb.fn.countAll<number>().as('count')])
        .where('job_id', 'in', ids)
        .where('status', '=', sql.lit('running'))
        .groupBy('job_id')
        .execute();
      return new Map(rows.map(({ job_id, count }) => [job_id, Number(count)]));
    },

    async active(ofEach) {
      const rows = await db
        .selectFrom((eb) =>
          eb
            .selectFrom('jobs')
            .select(['id', 'project_id', 'url', 'concurrency', 'seeded', 'created_at'])
            .select(({ fn }) =>
              fn
                .agg<number>('row_number')
                .over((over) => over.partitionBy('project_id').orderBy('created_at').orderBy('id'))
                .as('place'),
            )
            .where('ended_at', 'is', null)
            .as('waiting'),
        )
        .select(['id', 'project_id', 'url', 'concurrency', 'seeded'])
        .where('place', '<=', ofEach)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(({ id, project_id: projectId, url, concurrency, seeded }) => ({
        id,
        projectId,
        url,
        concurrency,
        seeded,
      }));
    },

    async countByStatus(statuses) {
      const rows = await db
        .selectFrom('jobs')
        .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
        .where('ended_at', 'is', null)
        .where('status', 'in', statuses)
        .groupBy('status')
        .execute();
      return rows.map(({ status, count }) => ({ status, count: Number(count) }));
    },

    async markRemoved(id, projectId, now) {
      const row = await db
        .updateTable('jobs')
        .set({ removed_at: now })
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .where('removed_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async results({ jobId, afterSeq, status, limit }) {
      let query = db
        .selectFrom('job_pages')
        .select(['job_id', 'idx', 'seq'])
        .where('job_id', '=', jobId)
        .where('seq', '>', afterSeq);
      if (status !== undefined) query = query.where('status', '=', status);
      const { rows, cut } = await lightRows(db, {
        table: 'job_pages',
        columns: resultColumns,
        key: ['job_id', 'idx'],
        places: query.orderBy('seq').limit(limit).as('page'),
        order: sql`page.seq`,
        weighed: ['result', 'url', 'final_url', 'found_on', 'error', 'file'],
      });
      return { records: rows.map((row): JobPageRecord => ({ ...pageShape.toRecord(row), item: null })), cut };
    },

    async past(endedBefore, limit) {
      const rows = await db
        .selectFrom('jobs')
        .select(['id', 'project_id'])
        // One that is being written looks ended.
        .where('maker', 'is', null)
        .where((is) => is.or([is('ended_at', '<', endedBefore), is('removed_at', 'is not', null)]))
        .limit(limit)
        .execute();
      return rows.map(({ id, project_id: projectId }) => ({ id, projectId }));
    },

    removeSome: (id, limit) =>
      inTransaction(connection, async (trx) => {
        // Of two that remove it at once, the second finds what the first has left.
        const job = await trx
          .selectFrom('jobs')
          .select(['project_id', 'bytes'])
          .where('id', '=', id)
          .$if(kind === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        if (!job) return { all: true, loose: [] };
        const some = trx.selectFrom('job_pages').select('idx').where('job_id', '=', id).limit(limit);
        const removed = await trx
          .deleteFrom('job_pages')
          .where('job_id', '=', id)
          .where('idx', 'in', some)
          .returning(['result_id', 'result_node', 'size'])
          .execute();
        const all = removed.length < limit;
        await release(trx, job.project_id, removed, all ? job.bytes : 0);
        const loose = removed.flatMap(({ result_id: id, result_node: nodeId }) =>
          id === null || nodeId === null ? [] : [{ id, nodeId }],
        );
        if (!all) return { all, loose };
        await trx.deleteFrom('job_keys').where('job_id', '=', id).execute();
        await trx.deleteFrom('jobs').where('id', '=', id).execute();
        return { all, loose };
      }),
  };
}

/** What lies elsewhere becomes loose, and what is kept in the rows, or of the job itself, counts no longer. */
async function release(
  trx: Kysely<Database>,
  projectId: string,
  pages: readonly { result_id: string | null; result_node: string | null; size: number }[],
  ofJob: number,
): Promise<void> {
  const elsewhere = pages.flatMap(({ result_id, result_node, size }) =>
    result_id === null || result_node === null
      ? []
      : [{ id: result_id, node_id: result_node, project_id: projectId, size }],
  );
  await loosen(trx, elsewhere);
  const inRows = pages.reduce((sum, { result_id, size }) => sum + (result_id === null ? size : 0), ofJob);
  if (inRows === 0) return;
  await trx
    .updateTable('project_storage')
    .set((eb) => ({ bytes: eb('bytes', '-', inRows) }))
    .where('project_id', '=', projectId)
    .execute();
}
