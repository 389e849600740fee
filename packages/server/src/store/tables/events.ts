/** Events, numbered in commit order within a project. */
import { type Kysely, sql } from 'kysely';
import { newId } from '../../kit/id.ts';
import {
  type Connection,
  type Database,
  inTransaction,
  type Kind,
  noteAppended,
  rowShape,
} from '../databases/databases.ts';
import type { EventQuery, EventRecord, NewEvent, Store } from '../records.ts';

const shape = rowShape<Omit<EventRecord, 'seq'>, 'data'>('data');
export const eventShape = rowShape<EventRecord, 'data'>('data');

/** A statement takes at most 32,766 values on SQLite; an event has six. */
const rowsAtOnce = 1000;

/** Any number of our own; with it the hash of the project names a lock. */
const eventLocks = 20_250;

/**
 * One transaction at a time goes on from here for each project; in the order of their ids, so that none waits for ever. A hasty
 * one does not wait for the disk when it commits, so that the locks are held for a moment only: a server that crashes forgets
 * the last of these, unless another commit came after them.
 */
export async function lockProjects(
  trx: Kysely<Database>,
  kind: Kind,
  projectIds: Iterable<string>,
  { hasty = false }: { hasty?: boolean } = {},
): Promise<void> {
  if (kind === 'sqlite') return;
  const ids = [...new Set(projectIds)].sort();
  const lock = sql`pg_advisory_xact_lock(${sql.lit(eventLocks)}, hashtext(project_id))`;
  const what = hasty ? sql`set_config('synchronous_commit', 'off', true), ${lock}` : lock;
  await sql`select ${what} from unnest(cast(${ids} as text[])) as project_id`.execute(trx);
}

/**
 * Part of the caller's transaction, and its last statement: a reader of a project's events in order of `seq` must never
 * see a later one before an earlier one. SQLite has a single writer; on PostgreSQL a lock held until the commit makes
 * the order of the numbers the order of the commits.
 */
export async function appendEvents(
  trx: Kysely<Database>,
  kind: Kind,
  events: readonly NewEvent[],
  how: { hasty?: boolean } = {},
): Promise<void> {
  if (events.length === 0) return;
  const projectIds = events.map((event) => event.projectId);
  await lockProjects(trx, kind, projectIds, how);
  const rows = events.map((event) => shape.toRow({ id: newId('event'), ...event }));
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await trx
      .insertInto('events')
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
  noteAppended(trx, events);
}

export async function lastSeq(db: Kysely<Database>, projectId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('seq')
    .where('project_id', '=', projectId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/**
 * A page of numbers, at the same cost among few events and many: a project's events of some types are one walk along
 * the index for each type, merged by the database; those of one browser are few enough to be looked through.
 */
function pageOf(db: Kysely<Database>, query: EventQuery) {
  const branch = (type?: string) => {
    let events = db.selectFrom('events').select('seq').where('project_id', '=', query.projectId);
    if (query.browserId !== undefined) events = events.where('browser_id', '=', query.browserId);
    if (query.browserId !== undefined && query.types) events = events.where('type', 'in', query.types);
    if (type !== undefined) events = events.where('type', '=', type);
    if (query.afterSeq !== undefined) events = events.where('seq', '>', query.afterSeq);
    if (query.beforeSeq !== undefined) events = events.where('seq', '<', query.beforeSeq);
    return events;
  };
  const types = query.browserId === undefined && query.types ? new Set(query.types) : [undefined];
  return [...types]
    .map(branch)
    .reduce((all, one) => all.unionAll(one))
    .orderBy(sql.ref('seq'), query.newestFirst ? 'desc' : 'asc')
    .limit(query.limit)
    .as('page');
}

export function events(connection: Connection): Omit<Store['events'], 'watch' | 'tellOthers'> {
  const { kind, db } = connection;
  return {
    async append(appended) {
      if (appended.length === 0) return;
      await inTransaction(connection, (trx) => appendEvents(trx, kind, appended, { hasty: true }));
    },

    async list(query) {
      if (query.types?.length === 0) return [];
      const rows = await db
        .selectFrom(pageOf(db, query))
        .innerJoin('events', 'events.seq', 'page.seq')
        .selectAll('events')
        .orderBy('page.seq', query.newestFirst ? 'desc' : 'asc')
        .execute();
      return rows.map(eventShape.toRecord);
    },

    last: (projectId) => lastSeq(db, projectId),

    async seqOf(projectId, id) {
      const row = await db
        .selectFrom('events')
        .select('seq')
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row?.seq;
    },
  };
}
