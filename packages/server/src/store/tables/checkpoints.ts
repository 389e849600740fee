/**
 * The last saved state of each browser, packed and sealed: it is written every few seconds, and packed it is a quarter of the
 * work for the database. Its local storage has a table of its own, which goes with it.
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import { aboutOf, openBytes, openLargeText, type SealedConnection } from '../databases/databases.ts';
import type { Store } from '../records.ts';

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

export function checkpoints({ kind, db, sealing }: SealedConnection): Store['checkpoints'] {
  return {
    /**
     * Selects what it inserts from the browser, so that check and write are one statement; on PostgreSQL the
     * row stays locked until then, because a change of the epoch could otherwise commit between the two.
     */
    async put({ browserId, epoch, at, data }) {
      const packed = await pack(JSON.stringify(data));
      const sealed = await sealing.sealLarge(packed, aboutOf.checkpoint(browserId));
      const body =
        kind === 'postgres' ? sql<Uint8Array>`cast(${sealed} as bytea)` : sql<Uint8Array>`${sealed}`;
      const written = await db
        .insertInto('checkpoints')
        .columns(['browser_id', 'epoch', 'at', 'body'])
        .expression(
          db
            .selectFrom('browsers')
            .select(['id', 'epoch', sql<number>`cast(${at} as bigint)`.as('at'), body.as('body')])
            .where('id', '=', browserId)
            .where('epoch', '=', epoch)
            .$if(kind === 'postgres', (query) => query.forShare()),
        )
        .onConflict((conflict) =>
          conflict.column('browser_id').doUpdateSet((eb) => ({
            epoch: eb.ref('excluded.epoch'),
            at: eb.ref('excluded.at'),
            body: eb.ref('excluded.body'),
            data: null,
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
      if (row === undefined) return undefined;
      const about = aboutOf.checkpoint(browserId);
      const { epoch, at, body, data } = row;
      // Without packed bytes it is from a version that wrote text.
      const text = body
        ? (await unpack(await openBytes(sealing, body, about))).toString()
        : await openLargeText(sealing, data ?? '', about);
      return { browserId, epoch, at, data: JSON.parse(text) };
    },

    async remove(browserId) {
      await db.deleteFrom('local_storage').where('browser_id', '=', browserId).execute();
      await db.deleteFrom('checkpoints').where('browser_id', '=', browserId).execute();
    },
  };
}
