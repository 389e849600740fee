/**
 * Bytes that lie outside of the database and have no record. No transaction spans both, so they are noted as loose:
 *
 *   announce: loose ──bind──> a record ──its removal──> loose ──bytes removed, forget──> nothing
 *
 * Wherever the service is killed, what is loose afterwards is known, and no search through all bytes is needed.
 *
 * On its own disk, every other boot of a node is dead. In storage that nodes share a boot that was declared gone may wake up
 * and go on: its notes are taken away from it first, so that `bind` refuses its record, and stay for a day, so that bytes
 * which it put there late are removed once more.
 */
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { ApiError } from '../../errors.ts';
import { type Connection, type Database, nowOf } from '../databases/databases.ts';
import type { LooseBytes, Store } from '../records.ts';

/** A statement takes at most 32,766 values on SQLite. */
const idsAtOnce = 1000;
const lateMs = 24 * 3_600_000;
/** Its bytes are still to be removed. */
const notYet = 0;

type LooseTable = Pick<Store['artifacts'], 'announce' | 'takeLoose' | 'markSwept' | 'forget'>;

/** Part of the caller's transaction, in which these bytes get their record. Throws when they were taken for left behind. */
export async function bindBytes(trx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  const bound = await trx.deleteFrom('loose_blobs').where('id', 'in', ids).returning('boot_id').execute();
  if (bound.some(({ boot_id }) => boot_id === null))
    throw new ApiError(
      'STORE_UNAVAILABLE',
      'This node was taken for lost while it wrote these bytes, so they were removed; nothing was kept. Try again.',
    );
}

/** Part of the caller's transaction, in which the records of these bytes went. */
export async function noteLoose(
  trx: Kysely<Database>,
  released: readonly { id: string; node_id: string }[],
): Promise<void> {
  for (let start = 0; start < released.length; start += idsAtOnce)
    await trx
      .insertInto('loose_blobs')
      .values(
        released.slice(start, start + idsAtOnce).map(({ id, node_id }) => ({ id, node_id, boot_id: null })),
      )
      // one whose bytes are being written right now is loose already
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
}

export function looseBytes({ kind, db }: Connection): LooseTable {
  const isOverdue = (eb: ExpressionBuilder<Database, 'loose_blobs'>): Expression<SqlBool> =>
    eb.or([eb('swept_at', 'is', null), eb('swept_at', '<', sql<number>`${nowOf(kind)} - ${lateMs}`)]);
  const hasDeadWriter = (
    eb: ExpressionBuilder<Database, 'loose_blobs'>,
    { bootId, shared }: LooseBytes,
  ): Expression<SqlBool> =>
    eb.and([
      eb('boot_id', '<>', bootId),
      ...(shared
        ? [
            eb.not(
              eb.exists(
                eb
                  .selectFrom('nodes')
                  .select('id')
                  .whereRef('nodes.boot_id', '=', 'loose_blobs.boot_id')
                  .where('state', '<>', 'gone'),
              ),
            ),
          ]
        : []),
    ]);
  /** A service that takes such a one over will write its bytes again, or say that there are none. */
  const isOfUnfinished = (eb: ExpressionBuilder<Database, 'loose_blobs'>): Expression<SqlBool> =>
    eb.exists(
      eb
        .selectFrom('artifacts')
        .select('id')
        .whereRef('artifacts.id', '=', 'loose_blobs.id')
        .where('artifacts.boot_id', 'is not', null),
    );
  const removable = (at: LooseBytes, after: string, limit: number) =>
    db
      .selectFrom('loose_blobs')
      .select(['id', 'boot_id', 'swept_at'])
      .where('node_id', '=', at.nodeId)
      .where('id', '>', after)
      .where((eb) => eb.or([eb.and([eb('boot_id', 'is', null), isOverdue(eb)]), hasDeadWriter(eb, at)]))
      .where((eb) => eb.not(isOfUnfinished(eb)))
      .orderBy('id')
      .limit(limit)
      .execute();

  /** Those that got their record in the meantime are not among them. */
  const takeFromWriters = async (at: LooseBytes, ids: readonly string[]): Promise<Set<string>> => {
    if (ids.length === 0) return new Set();
    const taken = await db
      .updateTable('loose_blobs')
      .set({ boot_id: null, swept_at: notYet })
      .where('id', 'in', ids)
      .where((eb) => hasDeadWriter(eb, at))
      .returning('id')
      .execute();
    return new Set(taken.map(({ id }) => id));
  };

  return {
    async announce(id, { nodeId, bootId }) {
      const noted = { node_id: nodeId, boot_id: bootId, swept_at: null };
      await db
        .insertInto('loose_blobs')
        .values({ id, ...noted })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(noted))
        .execute();
    },

    async takeLoose(at, after, limit) {
      const rows = await removable(at, after, limit);
      const written = rows.filter(({ boot_id }) => boot_id !== null).map(({ id }) => id);
      const taken = at.shared ? await takeFromWriters(at, written) : new Set(written);
      return rows
        .filter(({ id, boot_id }) => boot_id === null || taken.has(id))
        .map(({ id, boot_id, swept_at }) => ({
          id,
          wasCut: boot_id !== null || swept_at !== null,
          mayComeLate: at.shared && (boot_id !== null || swept_at === notYet),
        }));
    },

    async markSwept(ids) {
      if (ids.length === 0) return;
      await db
        .updateTable('loose_blobs')
        .set({ swept_at: nowOf(kind) })
        .where('id', 'in', ids)
        .where('boot_id', 'is', null)
        .execute();
    },

    async forget(ids, nodeIds) {
      for (let start = 0; start < ids.length; start += idsAtOnce)
        await db
          .deleteFrom('loose_blobs')
          .where('id', 'in', ids.slice(start, start + idsAtOnce))
          .where('node_id', 'in', nodeIds)
          .execute();
    },
  };
}
