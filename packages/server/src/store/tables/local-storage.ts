/** The saved local storage of each browser, a sealed row for each origin. */
import { sql } from 'kysely';
import { aboutOf, openBytes, rowShape, type SealedConnection } from '../databases/databases.ts';
import type { LocalStorageRecord, Store } from '../records.ts';

const shape = rowShape<LocalStorageRecord>();

export function localStorage({ kind, db, sealing }: SealedConnection): Store['localStorage'] {
  return {
    /** Selects what it inserts from the browser, as checkpoints do: a browser of another epoch takes nothing. */
    async put({ epoch, ...record }) {
      const about = aboutOf.localStorage(record.browserId, record.origin);
      const sealed = await sealing.sealLarge(record.items, about);
      const { browser_id, origin, at, bytes, items } = shape.toRow({ ...record, items: sealed });
      const blob = kind === 'postgres' ? sql<Uint8Array>`cast(${items} as bytea)` : sql<Uint8Array>`${items}`;
      const written = await db
        .insertInto('local_storage')
        .columns(['browser_id', 'origin', 'at', 'bytes', 'items'])
        .expression(
          db
            .selectFrom('browsers')
            .select([
              'id',
              sql<string>`cast(${origin} as text)`.as('origin'),
              sql<number>`cast(${at} as bigint)`.as('at'),
              sql<number>`cast(${bytes} as bigint)`.as('bytes'),
              blob.as('items'),
            ])
            .where('id', '=', browser_id)
            .where('epoch', '=', epoch)
            .$if(kind === 'postgres', (query) => query.forShare()),
        )
        .onConflict((conflict) =>
          conflict.columns(['browser_id', 'origin']).doUpdateSet((eb) => ({
            at: eb.ref('excluded.at'),
            bytes: eb.ref('excluded.bytes'),
            items: eb.ref('excluded.items'),
          })),
        )
        .returning('browser_id')
        .executeTakeFirst();
      return written !== undefined;
    },

    async sizes(browserId) {
      const rows = await db
        .selectFrom('local_storage')
        .select(['origin', 'at', 'bytes'])
        .where('browser_id', '=', browserId)
        .orderBy('at')
        .execute();
      return rows.map(({ origin, at, bytes }) => ({ origin, at: Number(at), bytes: Number(bytes) }));
    },

    async get(browserId, origin) {
      const row = await db
        .selectFrom('local_storage')
        .select('items')
        .where('browser_id', '=', browserId)
        .where('origin', '=', origin)
        .executeTakeFirst();
      return row && (await openBytes(sealing, row.items, aboutOf.localStorage(browserId, origin)));
    },

    async drop(browserId, origins) {
      if (origins.length === 0) return;
      await db
        .deleteFrom('local_storage')
        .where('browser_id', '=', browserId)
        .where('origin', 'in', origins)
        .execute();
    },
  };
}
