/** Nodes, their runs and when each was last alive. */
import { type Kysely, sql } from 'kysely';
import { type Connection, type Database, rowShape } from '../databases/databases.ts';
import type { Hearing, NodeRecord, Store } from '../records.ts';

const shape = rowShape<NodeRecord>();

async function heard(
  trx: Kysely<Database>,
  { id }: NodeRecord,
  { since, silent, ownBefore }: Hearing,
): Promise<NodeRecord[]> {
  const rows = await trx.selectFrom('nodes').selectAll().where('heartbeat_at', '>', since).execute();
  return rows
    .map(shape.toRecord)
    .filter((node) => node.id !== id || node.bootId !== ownBefore)
    .filter((node) => !silent.some((dead) => isSameSign(dead, node)));
}

const isSameSign = (a: NodeRecord, b: NodeRecord): boolean =>
  a.bootId === b.bootId && a.heartbeatAt === b.heartbeatAt;

export function nodes({ kind, db }: Connection): Store['nodes'] {
  return {
    async boot(node, hearing) {
      const row = shape.toRow(node);
      return await db.transaction().execute(async (trx) => {
        // Of two that start at the same moment, the second must see the first. SQLite lets one write at a time anyway.
        if (kind === 'postgres') await sql`lock table nodes in share row exclusive mode`.execute(trx);
        const others = hearing ? await heard(trx, node, hearing) : [];
        if (others.length > 0) return others;
        await trx
          .insertInto('nodes')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute();
        return [];
      });
    },

    async heartbeat(id, bootId, at) {
      const row = await db
        .updateTable('nodes')
        .set({ heartbeat_at: at })
        .where('id', '=', id)
        .where('boot_id', '=', bootId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async leave(id, bootId) {
      await db
        .updateTable('nodes')
        .set({ heartbeat_at: 0 })
        .where('id', '=', id)
        .where('boot_id', '=', bootId)
        .execute();
    },

    async list() {
      const rows = await db.selectFrom('nodes').selectAll().orderBy('started_at').orderBy('id').execute();
      return rows.map(shape.toRecord);
    },
  };
}
