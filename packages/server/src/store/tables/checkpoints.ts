/** The last saved state of each browser; its local storage has a table of its own, which goes with it. */
import { sql } from 'kysely';
import { type Connection, rowShape } from '../databases/databases.ts';
import type { CheckpointRecord, Store } from '../records.ts';

const shape = rowShape<CheckpointRecord, 'data'>('data');

export function checkpoints({ kind, db }: Connection): Store['checkpoints'] {
  return {
    /**
     * Selects what it inserts from the browser, so that check and write are one statement; on PostgreSQL the
     * row stays locked until then, because a change of the epoch could otherwise commit between the two.
     */
    async put(checkpoint) {
      const { browser_id, epoch, at, data } = shape.toRow(checkpoint);
      const written = await db
        .insertInto('checkpoints')
        .columns(['browser_id', 'epoch', 'at', 'data'])
        .expression(
          db
            .selectFrom('browsers')
            .select([
              'id',
              'epoch',
              sql<number>`cast(${at} as bigint)`.as('at'),
              sql<string>`cast(${data} as text)`.as('data'),
            ])
            .where('id', '=', browser_id)
            .where('epoch', '=', epoch)
            .$if(kind === 'postgres', (query) => query.forShare()),
        )
        .onConflict((conflict) =>
          conflict.column('browser_id').doUpdateSet((eb) => ({
            epoch: eb.ref('excluded.epoch'),
            at: eb.ref('excluded.at'),
            data: eb.ref('excluded.data'),
          })),
        )
        .returning('browser_id')
        .executeTakeFirst();
      return written !== undefined;
    },

    async get(browserId) {
      const row = await db
        .selectFrom('checkpoints')
        .selectAll()
        .where('browser_id', '=', browserId)
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async remove(browserId) {
      await db.deleteFrom('local_storage').where('browser_id', '=', browserId).execute();
      await db.deleteFrom('checkpoints').where('browser_id', '=', browserId).execute();
    },
  };
}
