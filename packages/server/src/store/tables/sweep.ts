/** Removes rows that are past their time, in small batches. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { attempt, type Connection, type Database } from '../databases/databases.ts';
import type { Store } from '../records.ts';
import { releaseArtifacts } from './artifacts.ts';
import { removePastKeys } from './idempotency.ts';
import { loosenVaults } from './vaults.ts';

/** Small enough that others get their turn in between: SQLite works in this very thread. */
const browsersAtOnce = 100;
const rowsAtOnce = 1000;

/**
 * Batch by batch, each a transaction of its own:
 *
 *   browsers past their time ──> their events ──> their artifacts ──> they themselves        and idempotency rows, deliveries
 *
 * Metadata and checkpoints are removed with their browser by the foreign key; artifacts before it, because their bytes
 * must not be forgotten. What an interrupted sweep leaves is found again by the next one. A failed browser that was
 * never closed counts from the time at which it would have been closed.
 */
export function sweep(connection: Connection): Store['sweep'] {
  return async ({ closedBefore, idempotencyBefore, deliveriesBefore = 0, loneEvents }, signal) => {
    const browsers: string[] = [];
    /** Until a batch was not full. */
    const each = async (most: number, batch: () => Promise<number>): Promise<void> => {
      while (!signal?.aborted && (await attempt(batch)) === most) await othersTurn();
    };
    await each(browsersAtOnce, async () => {
      const ids = await findPast(connection.db, closedBefore);
      if (ids.length === 0) return 0;
      await each(rowsAtOnce, () => removeEvents(connection, ids));
      await each(rowsAtOnce, () => removeArtifacts(connection, ids));
      if (signal?.aborted) return 0;
      const removed = await removeBrowsers(connection, ids);
      browsers.push(...removed);
      // none: another sweep has them all, and goes on
      return removed.length > 0 ? ids.length : 0;
    });
    await each(rowsAtOnce, () => removePastKeys(connection, idempotencyBefore, rowsAtOnce));
    await each(rowsAtOnce, () => removeDeliveries(connection, deliveriesBefore));
    if (loneEvents) await each(rowsAtOnce, () => removeLoneEvents(connection, loneEvents));
    return { browsers };
  };
}

async function findPast(db: Kysely<Database>, before: number): Promise<string[]> {
  const past = await db
    .selectFrom('browsers')
    .select('id')
    .where((is) =>
      is.or([
        is.and([is('status', '=', 'closed'), is('closed_at', '<', before)]),
        is.and([is('status', '=', 'failed'), is(is.fn.coalesce('closed_at', 'expires_at'), '<', before)]),
      ]),
    )
    .limit(browsersAtOnce)
    .execute();
  return past.map(({ id }) => id);
}

async function removeEvents({ db }: Connection, browserIds: string[]): Promise<number> {
  const some = db
    .selectFrom('events')
    .select('seq')
    .where('browser_id', 'in', browserIds)
    .limit(sql.lit(rowsAtOnce));
  const removed = await db.deleteFrom('events').where('seq', 'in', some).returning('seq').execute();
  return removed.length;
}

/** Project by project, because that is how they are found. */
async function removeLoneEvents(
  { db }: Connection,
  { types, before }: NonNullable<Parameters<Store['sweep']>[0]['loneEvents']>,
): Promise<number> {
  const some = db
    .selectFrom('projects')
    .innerJoin('events', 'events.project_id', 'projects.id')
    .select('events.seq')
    .where('events.type', 'in', types)
    .where('events.at', '<', before)
    .limit(sql.lit(rowsAtOnce));
  const removed = await db.deleteFrom('events').where('seq', 'in', some).returning('seq').execute();
  return removed.length;
}

function removeArtifacts({ db }: Connection, browserIds: string[]): Promise<number> {
  const some = db
    .selectFrom('artifacts')
    .select('id')
    .where('browser_id', 'in', browserIds)
    .limit(sql.lit(rowsAtOnce));
  return db.transaction().execute((trx) => releaseArtifacts(trx, (all) => all.where('id', 'in', some)));
}

/** With what was added since: the last look and the removal are one transaction. */
function removeBrowsers({ kind, db }: Connection, ids: string[]): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const locked = await trx
      .selectFrom('browsers')
      .select('id')
      .where('id', 'in', ids)
      .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
      .execute();
    const left = locked.map(({ id }) => id);
    if (left.length === 0) return left;
    await releaseArtifacts(trx, (all) => all.where('browser_id', 'in', left));
    await loosenVaults(trx, left);
    await trx.deleteFrom('browsers').where('id', 'in', left).execute();
    await trx.deleteFrom('events').where('browser_id', 'in', left).execute();
    return left;
  });
}

async function removeDeliveries({ db }: Connection, before: number): Promise<number> {
  const { rows } = await sql`
    delete from deliveries where id in
      (select id from deliveries where created_at < ${before} limit ${sql.lit(rowsAtOnce)})
    returning id`.execute(db);
  return rows.length;
}
