/** Records of browsers. A change happens only from the status and epoch that its caller expected. */
import type { Kysely } from 'kysely';
import { ApiError } from '../../errors.ts';
import {
  announceHomeless,
  type Database,
  nowOf,
  rowShape,
  type SealedConnection,
  searchText,
} from '../databases/databases.ts';
import type { BrowserRecord, Expected, Store } from '../records.ts';
import { type BrowserRow, browserRows, type BrowserPatch as Patch } from './browser-row.ts';
import { chooseLead, type Places, places } from './browsers-list.ts';
import { searchBrowsers } from './browsers-search.ts';
import { standsUp } from './burial.ts';
import { appendEvents } from './events.ts';
import { holdExtensions, missingExtension } from './extensions.ts';
import { noteResource } from './idempotency.ts';
import { lightPage } from './light-page.ts';
import { isWaiting } from './placement.ts';
import { claimProfile } from './profiles.ts';
import { orNoRoom, refuseWithoutRoom } from './project-room.ts';

const handoffShape = rowShape<Pick<BrowserRecord, 'id' | 'status' | 'handoff'>, 'handoff'>('handoff');

async function insertMetadata(trx: Kysely<Database>, browser: BrowserRow): Promise<void> {
  const { id: browser_id, project_id, status, created_at } = browser;
  const pairs = Object.entries<string>(JSON.parse(browser.metadata));
  if (pairs.length === 0) return;
  await trx
    .insertInto('browser_metadata')
    .values(pairs.map(([key, value]) => ({ browser_id, project_id, key, value, status, created_at })))
    .execute();
}

/** What the index of the metadata repeats of the browser must follow it. */
async function followMetadata(trx: Kysely<Database>, browser: BrowserRow, patch: Patch): Promise<void> {
  if (patch.metadata !== undefined) {
    await trx.deleteFrom('browser_metadata').where('browser_id', '=', browser.id).execute();
    await insertMetadata(trx, browser);
  } else if (patch.status !== undefined && browser.metadata !== '{}') {
    await trx
      .updateTable('browser_metadata')
      .set({ status: browser.status })
      .where('browser_id', '=', browser.id)
      .execute();
  }
}

async function insertWords(trx: Kysely<Database>, { id, name, metadata }: BrowserRow): Promise<void> {
  const text = searchText(name, JSON.parse(metadata));
  if (text === '') return;
  await trx.insertInto('browser_search').values({ browser_id: id, text }).execute();
}

/** What is searched must follow the name and the metadata. */
async function followWords(trx: Kysely<Database>, browser: BrowserRow, patch: Patch): Promise<void> {
  if (patch.name === undefined && patch.metadata === undefined) return;
  await trx.deleteFrom('browser_search').where('browser_id', '=', browser.id).execute();
  await insertWords(trx, browser);
}

/** The compare-and-set: one statement, so that of many callers one finds the row as expected. */
function compareAndSet(
  db: Kysely<Database>,
  id: string,
  { status, epoch, holder }: Expected,
  patch: Patch,
): Promise<BrowserRow | undefined> {
  let query = db.updateTable('browsers').where('id', '=', id).returningAll();
  query = Object.keys(patch).length > 0 ? query.set(patch) : query.set((eb) => ({ epoch: eb.ref('epoch') }));
  if (status !== undefined) query = query.where('status', 'in', [status].flat());
  if (epoch !== undefined) query = query.where('epoch', '=', epoch);
  if (holder !== undefined) query = query.where('holder', holder === null ? 'is' : '=', holder);
  return query.executeTakeFirst();
}

const takesNothing = (): ApiError =>
  new ApiError(
    'STORE_UNAVAILABLE',
    'This node takes no browsers any more: it is being drained, or was declared gone. Send the request again.',
  );

export function browsers(connection: SealedConnection): Store['browsers'] {
  const { kind, db } = connection;
  const rowsOf = browserRows(connection.sealing);
  const pageAt = (projectId: string, page: Places) =>
    lightPage(db, projectId, {
      table: 'browsers',
      places: page,
      weighed: ['settings', 'metadata'],
      toRecord: rowsOf.toRecord,
    });
  return {
    async insert(record, events, idempotency, { writes, extensions = [], alone = false, ...limits } = {}) {
      return await orNoRoom('noRoom' as const, connection, async (trx) => {
        if (record.holder !== null && !alone && !(await standsUp(trx, kind, record.holder))) return 'notUp';
        const refused =
          (await missingExtension(trx, kind, extensions, record.projectId)) ??
          (writes === undefined ? undefined : await claimProfile(trx, kind, writes, record));
        if (refused !== undefined) return refused;
        const row = rowsOf.toRow(record);
        const isQueued = record.holder === null && record.queuedAt !== null;
        await trx
          .insertInto('browsers')
          .values({ ...row, ...(isQueued && { queued_at: nowOf(kind) }) })
          .execute();
        await insertMetadata(trx, row);
        await insertWords(trx, row);
        await holdExtensions(trx, extensions, record.id);
        if (idempotency !== undefined)
          await noteResource(trx, { projectId: record.projectId, ...idempotency }, record.id);
        const most = isQueued ? limits.line : limits.mostOfProject;
        if (most !== undefined) await refuseWithoutRoom(trx, kind, record.projectId, most);
        await appendEvents(trx, kind, events);
        if (isQueued) await announceHomeless(trx, kind);
        return 'inserted';
      });
    },

    async get(id, projectId) {
      let query = db.selectFrom('browsers').selectAll().where('id', '=', id);
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      const row = await query.executeTakeFirst();
      return row && rowsOf.toRecord(row);
    },

    async change(id, expected, changes, events = []) {
      if (expected.status?.length === 0) return undefined;
      const patch = rowsOf.toPatch(id, changes);
      // Most changes are a time or a count: one statement needs no transaction around it.
      const { status, metadata, name, holder } = patch;
      const isPlain = [status, metadata, name, holder].every((value) => value === undefined);
      if (events.length === 0 && isPlain) {
        const row = await compareAndSet(db, id, expected, patch);
        return row && rowsOf.toRecord(row);
      }
      return await orNoRoom(undefined, connection, async (trx) => {
        if (typeof holder === 'string' && !(await standsUp(trx, kind, holder))) throw takesNothing();
        const row = await compareAndSet(trx, id, expected, patch);
        if (row === undefined) return undefined;
        await followMetadata(trx, row, patch);
        await followWords(trx, row, patch);
        const { mostOfProject } = expected;
        if (mostOfProject !== undefined) await refuseWithoutRoom(trx, kind, row.project_id, mostOfProject);
        await appendEvents(trx, kind, events);
        if (holder === null && isWaiting(row)) await announceHomeless(trx, kind);
        return rowsOf.toRecord(row);
      });
    },

    async list(query) {
      if (query.ids?.length === 0) return { records: [], cut: false };
      return pageAt(query.projectId, places(db, query, await chooseLead(db, query)));
    },

    async search({ text, ...query }) {
      if (query.ids?.length === 0) return { records: [], cut: false };
      const { found, lookedTo } = await searchBrowsers(db, query, text);
      const page = await pageAt(query.projectId, found);
      const isFull = page.cut || page.records.length === query.limit;
      const last = isFull ? undefined : await lookedTo();
      return { ...page, ...(last && { lookedTo: last }) };
    },

    async concerning(projectId, exceptHolder, limit) {
      const rows = await db
        .selectFrom('browsers')
        .select(['id', 'status', 'handoff'])
        .where('project_id', '=', projectId)
        .where('handoff', 'is not', null)
        .where('status', '=', 'ready')
        .where('holder', '<>', exceptHolder)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(handoffShape.toRecord);
    },

    async countOfProject(projectId) {
      return await db
        .selectFrom('browsers')
        .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
        .where('project_id', '=', projectId)
        .groupBy('status')
        .execute();
    },

    async ofNode(nodeId, status) {
      if (status.length === 0) return [];
      const rows = await db
        .selectFrom('browsers')
        .selectAll()
        .where('node_id', '=', nodeId)
        .where('status', 'in', status)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(rowsOf.toRecord);
    },

    async countOfNode(nodeId, status) {
      return await db
        .selectFrom('browsers')
        .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
        .where('node_id', '=', nodeId)
        .where('status', 'in', status)
        .groupBy('status')
        .execute();
    },
  };
}
