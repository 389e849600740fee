/** Nodes, their runs and when each was last alive. */
import { type Connection, rowShape } from '../databases/databases.ts';
import type { NodeRecord, Store } from '../records.ts';

const shape = rowShape<NodeRecord>();

export function nodes({ kind, db }: Connection): Store['nodes'] {
  return {
    async boot(node) {
      const row = shape.toRow(node);
      return await db.transaction().execute(async (trx) => {
        const first = await trx
          .insertInto('nodes')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (first !== undefined) return undefined;
        const before = await trx
          .selectFrom('nodes')
          .selectAll()
          .where('id', '=', node.id)
          .$if(kind === 'postgres', (query) => query.forUpdate())
          .executeTakeFirstOrThrow();
        await trx.updateTable('nodes').set(row).where('id', '=', node.id).execute();
        return shape.toRecord(before);
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

    async list() {
      const rows = await db.selectFrom('nodes').selectAll().orderBy('started_at').orderBy('id').execute();
      return rows.map(shape.toRecord);
    },
  };
}
