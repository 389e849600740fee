import { setImmediate as othersTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { releaseArtifacts } from './artifacts.ts';
import { attempt } from './attempt.ts';
import type { Connection } from './database.ts';
import type { Store } from './records.ts';

/** Small enough that others get their turn in between: SQLite works in this very thread. */
const browsersAtOnce = 100;
const rowsAtOnce = 1000;

/**
 * Batch by batch, each a transaction of its own. Metadata and checkpoints go with their browser by the
 * foreign key; artifacts go before it, because their bytes must not be forgotten. A failed browser that nobody closed counts from the time at which it would have been closed.
 */
export function sweep(connection: Connection): Store['sweep'] {
  return async ({ closedBefore, idempotencyBefore, deliveriesBefore = 0 }) => {
    const browsers: string[] = [];
    for (;;) {
      const removed = await attempt(() => removeBrowsers(connection, closedBefore));
      browsers.push(...removed);
      if (removed.length < browsersAtOnce) break;
      await othersTurn();
    }
    while ((await attempt(() => removeKeys(connection, idempotencyBefore))) === rowsAtOnce)
      await othersTurn();
    while ((await attempt(() => removeDeliveries(connection, deliveriesBefore))) === rowsAtOnce)
      await othersTurn();
    return { browsers };
  };
}

function removeBrowsers({ kind, db }: Connection, before: number): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const past = await trx
      .selectFrom('browsers')
      .select('id')
      .where((is) =>
        is.or([
          is.and([is('status', '=', 'closed'), is('closed_at', '<', before)]),
          is.and([is('status', '=', 'failed'), is(is.fn.coalesce('closed_at', 'expires_at'), '<', before)]),
        ]),
      )
      .limit(browsersAtOnce)
      .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
      .execute();
    const ids = past.map(({ id }) => id);
    if (ids.length === 0) return ids;
    await releaseArtifacts(trx, (all) => all.where('browser_id', 'in', ids));
    await trx.deleteFrom('browsers').where('id', 'in', ids).execute();
    await trx.deleteFrom('events').where('browser_id', 'in', ids).execute();
    return ids;
  });
}

async function removeKeys({ db }: Connection, before: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency where (project_id, key) in
      (select project_id, key from idempotency where created_at < ${before} limit ${sql.lit(rowsAtOnce)})
    returning key`.execute(db);
  return rows.length;
}

async function removeDeliveries({ db }: Connection, before: number): Promise<number> {
  const { rows } = await sql`
    delete from deliveries where id in
      (select id from deliveries where created_at < ${before} limit ${sql.lit(rowsAtOnce)})
    returning id`.execute(db);
  return rows.length;
}
