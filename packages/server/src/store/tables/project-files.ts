/** Files of projects. Their bytes lie elsewhere, and are noted as those of artifacts are (artifacts.ts). */
import type { DeleteQueryBuilder, DeleteResult, ExpressionBuilder } from 'kysely';
import { type Connection, type Database, inTransaction, rowShape } from '../databases/databases.ts';
import type { ProjectFileRecord, Store } from '../records.ts';
import { loosen, occupy } from './artifacts.ts';
import { noteResource } from './idempotency.ts';
import { bindBytes } from './loose-bytes.ts';

const shape = rowShape<ProjectFileRecord>();

type Deletion = DeleteQueryBuilder<Database, 'project_files', DeleteResult>;

/** Also before a sweep came by: what its owner wanted gone by now is not there. */
const inTime = (now: number) => (eb: ExpressionBuilder<Database, 'project_files'>) =>
  eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]);

export function projectFiles(connection: Connection): Store['projectFiles'] {
  const { kind, db } = connection;
  const release = (which: (all: Deletion) => Deletion): Promise<string[]> =>
    inTransaction(connection, async (trx) => {
      const released = await which(trx.deleteFrom('project_files'))
        .returning(['id', 'node_id', 'project_id', 'size'])
        .execute();
      await loosen(trx, released);
      return released.map(({ id }) => id);
    });
  /** Those that another node is removing right now are left to it. */
  const some = (limit: number) =>
    db
      .selectFrom('project_files')
      .select('id')
      .limit(limit)
      .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked());
  return {
    insert: (records, { quotaBytes, idempotency }) =>
      inTransaction(connection, async (trx) => {
        const [first] = records;
        if (!first) return 'inserted';
        const { projectId } = first;
        const size = records.reduce((sum, record) => sum + record.size, 0);
        if (!(await occupy(trx, projectId, size, quotaBytes))) return 'overQuota';
        await trx.insertInto('project_files').values(records.map(shape.toRow)).execute();
        const ids = records.map(({ id }) => id);
        await bindBytes(trx, ids);
        if (idempotency) await noteResource(trx, { projectId, ...idempotency }, ids.join(' '));
        return 'inserted';
      }),

    async get(id, { projectId, now }) {
      const row = await db
        .selectFrom('project_files')
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .where(inTime(now))
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async list({ projectId, now, source, jobId, after, limit }) {
      let query = db
        .selectFrom('project_files')
        .selectAll()
        .where('project_id', '=', projectId)
        .where(inTime(now));
      if (source !== undefined) query = query.where('source', '=', source);
      if (jobId !== undefined) query = query.where('job_id', '=', jobId);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(shape.toRecord);
    },

    remove: async (id, projectId) => {
      const removed = await release((all) => all.where('id', '=', id).where('project_id', '=', projectId));
      return removed.length > 0;
    },

    removeOfJob: (jobId, projectId, limit) =>
      release((all) =>
        all.where('id', 'in', some(limit).where('job_id', '=', jobId).where('project_id', '=', projectId)),
      ),

    removeExpired: async (now, limit) => {
      const removed = await release((all) =>
        all.where('id', 'in', some(limit).where('expires_at', '<=', now)),
      );
      return removed.length;
    },
  };
}
