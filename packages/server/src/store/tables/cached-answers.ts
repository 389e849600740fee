/**
 * Answers that may be given again. They do not count into what a project stores: they have a bound of their own, and make
 * room by themselves, so that no upload of the project ever fails for them.
 */
import type { DeleteQueryBuilder, DeleteResult, Kysely } from 'kysely';
import { type Connection, type Database, inTransaction, rowShape } from '../databases/databases.ts';
import type { CachedAnswerRecord, Store } from '../records.ts';
import { bindBytes, noteLoose } from './loose-bytes.ts';

const shape = rowShape<CachedAnswerRecord>();

type Deletion = DeleteQueryBuilder<Database, 'cached_answers', DeleteResult>;

/** Part of the caller's transaction. */
async function drop(
  trx: Kysely<Database>,
  places: readonly string[],
  which: (all: Deletion) => Deletion,
): Promise<string[]> {
  const dropped = await which(trx.deleteFrom('cached_answers')).returning(['id', 'node_id']).execute();
  await noteLoose(trx, dropped);
  // what lies on the disks of other nodes they remove themselves
  return dropped.filter(({ node_id }) => places.includes(node_id)).map(({ id }) => id);
}

/** Those of the project at the place that go first when it has too many bytes. */
async function beyond(
  trx: Kysely<Database>,
  { id, projectId, nodeId }: CachedAnswerRecord,
  mostBytes: number,
): Promise<string[]> {
  const all = trx
    .selectFrom('cached_answers')
    .where('project_id', '=', projectId)
    .where('node_id', '=', nodeId);
  const { bytes } = await all.select((eb) => eb.fn.sum('size').as('bytes')).executeTakeFirstOrThrow();
  let over = Number(bytes ?? 0) - mostBytes;
  if (over <= 0) return [];
  const rows = await all
    .select(['id', 'size'])
    .where('id', '<>', id)
    .orderBy('used_at')
    .orderBy('id')
    .execute();
  const ids: string[] = [];
  for (const row of rows) {
    if (over <= 0) break;
    ids.push(row.id);
    over -= row.size;
  }
  return ids;
}

/** A statement takes at most 32,766 values on SQLite. */
const idsAtOnce = 1000;

export function cachedAnswers(connection: Connection): Store['cachedAnswers'] {
  const { db } = connection;
  return {
    insert: (record, mostBytes) =>
      inTransaction(connection, async (trx) => {
        const { projectId, nodeId, key } = record;
        const dropped = await drop(trx, [nodeId], (all) =>
          all.where('project_id', '=', projectId).where('node_id', '=', nodeId).where('key', '=', key),
        );
        const inserted = await trx
          .insertInto('cached_answers')
          .values(shape.toRow(record))
          .onConflict((conflict) => conflict.columns(['project_id', 'node_id', 'key']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) return 'taken';
        await bindBytes(trx, [record.id]);
        const over = await beyond(trx, record, mostBytes);
        for (let start = 0; start < over.length; start += idsAtOnce)
          dropped.push(
            ...(await drop(trx, [nodeId], (all) =>
              all.where('id', 'in', over.slice(start, start + idsAtOnce)),
            )),
          );
        return { dropped };
      }),

    async use({ projectId, nodeId, key }, at) {
      const row = await db
        .updateTable('cached_answers')
        .set({ used_at: at })
        .where('project_id', '=', projectId)
        .where('node_id', '=', nodeId)
        .where('key', '=', key)
        .returningAll()
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async confirm(id, at) {
      const row = await db
        .updateTable('cached_answers')
        .set({ checked_at: at })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    remove: (id, places) =>
      inTransaction(connection, (trx) => drop(trx, places, (all) => all.where('id', '=', id))),

    removeOfProfile: (profileId, places) =>
      inTransaction(connection, (trx) => drop(trx, places, (all) => all.where('profile_id', '=', profileId))),

    removeUnchecked: (places, before, limit) =>
      inTransaction(connection, (trx) =>
        drop(trx, places, (all) =>
          all.where('id', 'in', (eb) =>
            eb
              .selectFrom('cached_answers')
              .select('id')
              .where('node_id', 'in', places)
              .where('checked_at', '<', before)
              .limit(limit),
          ),
        ),
      ),
  };
}
