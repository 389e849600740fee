/**
 * Records of bytes that lie elsewhere: bytes without a record are noted as loose (loose-bytes.ts). What a project uses is kept
 * as a sum, so that a quota costs the same however many artifacts there are.
 */
import { type DeleteQueryBuilder, type DeleteResult, type Kysely, sql } from 'kysely';
import { type Connection, type Database, inTransaction, nowOf, rowShape } from '../databases/databases.ts';
import type { ArtifactRecord, Store } from '../records.ts';
import { appendEvents } from './events.ts';
import { bindBytes, looseBytes, noteLoose } from './loose-bytes.ts';

const shape = rowShape<ArtifactRecord, 'details'>('details');

type Deletion = DeleteQueryBuilder<Database, 'artifacts', DeleteResult>;

/** Part of the caller's transaction. Returns how many records went. */
export async function releaseArtifacts(
  trx: Kysely<Database>,
  which: (all: Deletion) => Deletion,
): Promise<number> {
  const released = await which(trx.deleteFrom('artifacts'))
    .returning(['id', 'node_id', 'project_id', 'size'])
    .execute();
  await loosen(trx, released);
  return released.length;
}

/** Part of the caller's transaction, in which records went whose bytes count into what their project uses. */
export async function loosen(
  trx: Kysely<Database>,
  released: readonly { id: string; node_id: string; project_id: string; size: number }[],
): Promise<void> {
  await noteLoose(trx, released);
  // in one order for all, so that no two wait for each other
  const byProject = [...Map.groupBy(released, ({ project_id }) => project_id)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  for (const [projectId, rows] of byProject) {
    const freed = rows.reduce((sum, { size }) => sum + size, 0);
    await trx
      .updateTable('project_storage')
      .set((eb) => ({ bytes: eb('bytes', '-', freed) }))
      .where('project_id', '=', projectId)
      .execute();
  }
}

/** False when it would be more than the quota. Check and change are one statement, so that callers cannot race. */
export async function occupy(
  trx: Kysely<Database>,
  projectId: string,
  size: number,
  quotaBytes: number | null,
): Promise<boolean> {
  await trx
    .insertInto('project_storage')
    .values({ project_id: projectId, bytes: 0 })
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .execute();
  let query = trx
    .updateTable('project_storage')
    .set((eb) => ({ bytes: eb('bytes', '+', size) }))
    .where('project_id', '=', projectId);
  if (quotaBytes !== null) query = query.where('bytes', '<=', quotaBytes - size);
  return (await query.returning('bytes').executeTakeFirst()) !== undefined;
}

export function artifacts(connection: Connection): Store['artifacts'] {
  const { kind, db } = connection;
  return {
    ...looseBytes(connection),

    async insert(record, quotaBytes, events = []) {
      return await inTransaction(connection, async (trx) => {
        const browser = await trx
          .selectFrom('browsers')
          .select('id')
          .where('id', '=', record.browserId)
          .where('project_id', '=', record.projectId)
          .$if(kind === 'postgres', (query) => query.forKeyShare())
          .executeTakeFirst();
        if (browser === undefined) return 'browserGone';
        if (!(await occupy(trx, record.projectId, record.size, quotaBytes))) return 'overQuota';
        await trx.insertInto('artifacts').values(shape.toRow(record)).execute();
        await bindBytes(trx, [record.id]);
        await appendEvents(trx, kind, events);
        return 'inserted';
      });
    },

    async change(id, bootId, patch, quotaBytes, events = []) {
      return await inTransaction(connection, async (trx) => {
        const row = await trx
          .selectFrom('artifacts')
          .selectAll()
          .where('id', '=', id)
          .where('boot_id', '=', bootId)
          .$if(kind === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        if (row === undefined) return 'gone';
        const more = (patch.size ?? row.size) - row.size;
        if (more !== 0 && !(await occupy(trx, row.project_id, more, quotaBytes))) return 'overQuota';
        const changed = await trx
          .updateTable('artifacts')
          .set(shape.toPatch(patch))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        if (patch.size !== undefined) await bindBytes(trx, [id]);
        await appendEvents(trx, kind, events);
        return shape.toRecord(changed);
      });
    },

    async inherit({ nodeId, bootId }) {
      const rows = await db
        .updateTable('artifacts')
        .set({ boot_id: bootId })
        .where('node_id', '=', nodeId)
        .where('boot_id', 'is not', null)
        .where('boot_id', '<>', bootId)
        .returningAll()
        .execute();
      return rows.map(shape.toRecord);
    },

    async inheritLost(bootId, artifactKind, goneForMs) {
      const rows = await db
        .updateTable('artifacts')
        .set({ boot_id: bootId })
        .where('kind', '=', artifactKind)
        .where('boot_id', 'is not', null)
        .where('boot_id', '<>', bootId)
        .where('node_id', 'in', (eb) =>
          eb
            .selectFrom('nodes')
            .select('id')
            .where('state', '=', 'gone')
            .where('gone_at', '<=', sql<number>`${nowOf(kind)} - ${sql.lit(goneForMs)}`),
        )
        .returningAll()
        .execute();
      return rows.map(shape.toRecord);
    },

    async get(id, { projectId, browserId }) {
      const row = await db
        .selectFrom('artifacts')
        .selectAll()
        .where('id', '=', id)
        .where('browser_id', '=', browserId)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async list({ projectId, browserId, kind: wanted, after, limit }) {
      let query = db
        .selectFrom('artifacts')
        .selectAll()
        .where('browser_id', '=', browserId)
        .where('kind', '=', wanted)
        .where('project_id', '=', projectId);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(shape.toRecord);
    },

    async remove(id, { projectId, browserId }) {
      const removed = await db
        .transaction()
        .execute((trx) =>
          releaseArtifacts(trx, (all) =>
            all.where('id', '=', id).where('browser_id', '=', browserId).where('project_id', '=', projectId),
          ),
        );
      return removed > 0;
    },

    async usage(projectId) {
      const row = await db
        .selectFrom('project_storage')
        .select('bytes')
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row?.bytes ?? 0;
    },

    async totalUsage() {
      const { bytes } = await db
        .selectFrom('project_storage')
        .select((eb) => eb.fn.sum('bytes').as('bytes'))
        .executeTakeFirstOrThrow();
      return Number(bytes ?? 0);
    },
  };
}
