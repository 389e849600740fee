/** The last saved state of each browser, sealed; its local storage has a table of its own, which goes with it. */
import { sql } from 'kysely';
import {
  aboutOf,
  openLargeText,
  rowShape,
  type SealedConnection,
  sealLargeText,
} from '../databases/databases.ts';
import type { CheckpointRecord, Store } from '../records.ts';

const shape = rowShape<Omit<CheckpointRecord, 'data'> & { data: string }>();

export function checkpoints({ kind, db, sealing }: SealedConnection): Store['checkpoints'] {
  return {
    /**
     * Selects what it inserts from the browser, so that check and write are one statement; on PostgreSQL the
     * row stays locked until then, because a change of the epoch could otherwise commit between the two.
     */
    async put(checkpoint) {
      const text = JSON.stringify(checkpoint.data);
      const sealed = await sealLargeText(sealing, text, aboutOf.checkpoint(checkpoint.browserId));
      const { browser_id, epoch, at, data } = shape.toRow({ ...checkpoint, data: sealed });
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
      if (!row?.data) return undefined;
      const { body: _packed, data, ...rest } = row;
      const text = await openLargeText(sealing, data, aboutOf.checkpoint(browserId));
      return { ...shape.toRecord({ ...rest, data }), data: JSON.parse(text) };
    },

    async remove(browserId) {
      await db.deleteFrom('local_storage').where('browser_id', '=', browserId).execute();
      await db.deleteFrom('checkpoints').where('browser_id', '=', browserId).execute();
    },
  };
}
