/**
 * Which boot holds which browser. Only the boot itself makes itself a holder, with the row of its node locked (burial.ts), and
 * each change of the holder raises the epoch, so that nothing late of the holder before is written.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type Database,
  inTransaction,
  type Kind,
  nowOf,
  type SealedConnection,
} from '../databases/databases.ts';
import type { ClaimLimits, Store } from '../records.ts';
import { browserRows } from './browser-row.ts';
import { standsUp } from './burial.ts';
import { lockProjects } from './events.ts';
import { heldBeside, heldOf } from './project-room.ts';

/** A browser in one of these, without a holder, waits for one. */
export const waitingStatuses = ['creating', 'resuming', 'recovering', 'stopping', 'closing'];

export const isWaiting = ({ holder, status }: { holder: string | null; status: string }): boolean =>
  holder === null && waitingStatuses.includes(status);

const waits = sql`holder is null and status in (${sql.join(waitingStatuses.map((status) => sql.lit(status)))})`;

/**
 * The line, in the order in which it is served: browsers that were running before those that never were; then one of each
 * project in turn, the longest unserved first; then by age.
 */
const line = sql`
  select id, is_new, turn, row_number() over (order by is_new, turn, served_at nulls first, queued_at, id) as place
  from (
    select browsers.id, browsers.queued_at, projects.served_at,
      case status when 'creating' then 1 else 0 end as is_new,
      row_number() over (
        partition by project_id, case status when 'creating' then 1 else 0 end
        order by queued_at, browsers.id
      ) as turn
    from browsers join projects on projects.id = browsers.project_id
    where ${waits}
  ) waiting`;

interface Chosen {
  id: string;
  project_id: string;
  /** 1: it waits for its first Chromium. */
  is_new: number;
  place: number;
}

/** So long a packed profile waits for a node whose Chromium can use it; after that its browser goes on without. */
const newerWaitMs = 30_000;

/** Whether this node could use the packed profile of a browser that is to run, or no other node was there to do so. */
function canUse(majors: Readonly<Record<string, number>>, now: RawBuilder<number>): RawBuilder<unknown> {
  const newer = Object.entries(majors).map(
    ([engine, major]) => sql`(vault_engine = ${engine} and vault_major > ${sql.lit(major)})`,
  );
  if (newer.length === 0) return sql`1 = 1`;
  return sql`(vault_major is null or status in ('stopping', 'closing')
    or not (${sql.join(newer, sql` or `)}) or queued_at is null or queued_at <= ${now} - ${sql.lit(newerWaitMs)})`;
}

/** Whether a create may be claimed, as far as a look without a lock can tell. */
function mayBegin({ mostOfProject, except = [] }: ClaimLimits): RawBuilder<unknown> {
  const isExcepted = except.length > 0 ? sql`project_id in (${sql.join(except)})` : sql`1 = 0`;
  if (mostOfProject === undefined) return sql`not (${isExcepted})`;
  return sql`not (${isExcepted}) and line.turn + (${heldBeside}) <= ${sql.lit(mostOfProject)}`;
}

/** The same for certain: with the projects locked, no other node gives a place of theirs away. */
async function within(
  trx: Kysely<Database>,
  kind: Kind,
  next: readonly Chosen[],
  mostOfProject: number,
): Promise<Chosen[]> {
  const projectIds = [...new Set(next.filter(({ is_new }) => is_new).map(({ project_id }) => project_id))];
  await lockProjects(trx, kind, projectIds);
  const held = await heldOf(trx, projectIds);
  return next.filter(({ project_id, is_new }) => {
    if (!is_new) return true;
    const others = held.get(project_id) ?? 0;
    held.set(project_id, others + 1);
    return others < mostOfProject;
  });
}

/** A project that was served goes behind the others. A claimer that does so for the same project already does it for both. */
async function noteServed(trx: Kysely<Database>, kind: Kind, projectIds: readonly string[]): Promise<void> {
  if (projectIds.length === 0) return;
  await trx
    .updateTable('projects')
    .set({ served_at: nowOf(kind) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('projects')
        .select('id')
        .where('id', 'in', projectIds)
        .$if(kind === 'postgres', (query) => query.forNoKeyUpdate().skipLocked()),
    )
    .execute();
}

export function placement(connection: SealedConnection): Omit<Store['placement'], 'watch'> {
  const { kind, db } = connection;
  const rowsOf = browserRows(connection.sealing);
  /** Most looks find nothing, and cost one statement. */
  const isAnyWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`select 1 as one from browsers where ${waits} limit 1`.execute(db);
    return rows.length > 0;
  };
  return {
    async claim({ bootId, nodeId, limit, headStartMs, mostOfProject, except = [], majors = {} }) {
      if (limit <= 0 || !(await isAnyWaiting())) return [];
      return await inTransaction(connection, async (trx) => {
        if (!(await standsUp(trx, kind, bootId))) return [];
        const { rows: next } = await sql<Chosen>`
          with line as (${line})
          select browsers.id, browsers.project_id, line.is_new, line.place
          from browsers join line on line.id = browsers.id
          where ${waits} and (line.is_new = 0 or ${mayBegin({ mostOfProject, except })})
            and (node_id is null or node_id = ${nodeId}
              or queued_at is null or queued_at <= ${nowOf(kind)} - ${sql.lit(headStartMs)})
            and (node_id = ${nodeId} or ${canUse(majors, nowOf(kind))})
          order by line.place limit ${sql.lit(limit)}
          ${kind === 'postgres' ? sql`for update of browsers skip locked` : sql``}`.execute(trx);
        const chosen = mostOfProject === undefined ? next : await within(trx, kind, next, mostOfProject);
        if (chosen.length === 0) return [];
        const placeOf = new Map(chosen.map(({ id, place }) => [id, place]));
        const rows = await trx
          .updateTable('browsers')
          .set((eb) => ({ holder: bootId, epoch: eb('epoch', '+', 1), queued_at: null }))
          .where('id', 'in', [...placeOf.keys()])
          .returningAll()
          .execute();
        const created = rows.filter(({ status }) => status === 'creating');
        await noteServed(trx, kind, [...new Set(created.map(({ project_id }) => project_id))]);
        return rows.map(rowsOf.toRecord).sort((a, b) => (placeOf.get(a.id) ?? 0) - (placeOf.get(b.id) ?? 0));
      });
    },

    async locate(browserId, projectId) {
      return await db
        .selectFrom('browsers')
        .leftJoin('nodes', 'nodes.boot_id', 'browsers.holder')
        .select([
          'browsers.status',
          'browsers.epoch',
          'browsers.holder',
          'browsers.node_id as nodeId',
          'nodes.address',
          'nodes.state',
        ])
        .where('browsers.id', '=', browserId)
        .$if(projectId !== undefined, (query) => query.where('browsers.project_id', '=', projectId ?? ''))
        .executeTakeFirst();
    },

    async ofHolder(bootId) {
      return await db
        .selectFrom('browsers')
        .select(['id', 'epoch', 'status'])
        .where('holder', '=', bootId)
        .execute();
    },

    async overdue(now, limit) {
      const rows = await db
        .selectFrom('browsers')
        .selectAll()
        .where('holder', 'is', null)
        .where('status', 'in', ['stopped', 'failed'])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute();
      return rows.map(rowsOf.toRecord);
    },

    async lapsed(now, limit) {
      const rows = await db
        .selectFrom('browsers')
        .select('id')
        .where('holder', 'is', null)
        .where('status', '=', 'creating')
        .where('queued_until', '<=', now)
        .orderBy('queued_until')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async roomBeside(bootId, withinMs) {
      // What a node has told of itself may be some seconds old; what it holds is known, but for quick actions.
      const { rows } = await sql<{ room: number }>`
        select sum(case when capacity <= taken then 0 else capacity - taken end) as room from (
          select capacity, case when used > held then used else held end as taken from (
            select capacity, used, (select count(*) from browsers where holder = nodes.boot_id) as held
            from nodes where state = 'up' and boot_id <> ${bootId}
              and renewed_at > ${nowOf(kind)} - ${sql.lit(withinMs)}
          ) seen
        ) told`.execute(db);
      return Number(rows[0]?.room ?? 0);
    },

    async homeless() {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from browsers where ${waits}`.execute(db);
      return rows[0]?.count ?? 0;
    },

    async creating(browserIds) {
      if (browserIds.length === 0) return new Set();
      const rows = await db
        .selectFrom('browsers')
        .select('id')
        .where('id', 'in', browserIds)
        .where('status', '=', 'creating')
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    async positions(browserIds) {
      if (browserIds.length === 0) return new Map();
      const { rows } = await sql<{ id: string; place: number }>`
        with line as (${line})
        select id, place from line where id in (${sql.join(browserIds)})`.execute(db);
      return new Map(rows.map(({ id, place }) => [id, place]));
    },
  };
}
