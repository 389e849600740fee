import { type Kysely, sql } from 'kysely';
import { newId } from '../kit/id.ts';
import type { Connection, Database, Kind } from './database.ts';
import type { EventRecord, NewEvent, Store } from './records.ts';
import { rowShape } from './row.ts';

const shape = rowShape<Omit<EventRecord, 'seq'>, 'data'>('data');
const storedShape = rowShape<EventRecord, 'data'>('data');

/** A statement takes at most 32,766 values on SQLite; an event has six. */
const rowsAtOnce = 1000;

/** Any number of our own; with it the hash of the project names a lock. */
const eventLocks = 20_250;

/**
 * Part of the caller's transaction, and the last one: whoever reads a project's events in order of `seq`
 * must never see a later one before an earlier one. SQLite has a single writer; on PostgreSQL a lock held
 * until the commit makes the order of the numbers the order of the commits.
 */
export async function appendEvents(
  trx: Kysely<Database>,
  kind: Kind,
  events: readonly NewEvent[],
): Promise<void> {
  if (kind === 'postgres')
    for (const projectId of [...new Set(events.map((event) => event.projectId))].sort())
      await sql`select pg_advisory_xact_lock(${sql.lit(eventLocks)}, hashtext(${projectId}))`.execute(trx);
  const rows = events.map((event) => shape.toRow({ id: newId('event'), ...event }));
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await trx
      .insertInto('events')
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
}

export function events({ kind, db }: Connection): Store['events'] {
  return {
    async append(appended) {
      if (appended.length > 0) await db.transaction().execute((trx) => appendEvents(trx, kind, appended));
    },

    async list({ projectId, browserId, afterSeq, limit }) {
      let query = db.selectFrom('events').selectAll().where('project_id', '=', projectId);
      if (browserId !== undefined) query = query.where('browser_id', '=', browserId);
      if (afterSeq !== undefined) query = query.where('seq', '>', afterSeq);
      const rows = await query.orderBy('seq').limit(limit).execute();
      return rows.map(storedShape.toRecord);
    },
  };
}
