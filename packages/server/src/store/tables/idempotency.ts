/**
 * Requests that may be sent twice: which boot claimed a key, and the answer that was given. Answers are sealed: that of a
 * new key or webhook holds its secret.
 *
 * What the answers of a project have together is kept as a sum. Beyond a limit, no new key is claimed until refusals have made
 * room: a request that was refused as wrong (400), or as one about something that is not there (404), has changed nothing, so its
 * repetition may be answered anew. All other answers stay until their time is over.
 */
import { type Kysely, sql } from 'kysely';
import { ApiError } from '../../errors.ts';
import {
  aboutOf,
  type Connection,
  type Database,
  inTransaction,
  openLargeText,
  rowShape,
  type SealedConnection,
  sealLargeText,
} from '../databases/databases.ts';
import type { IdempotencyRecord, Store } from '../records.ts';

const shape = rowShape<IdempotencyRecord>();

/** Of a row beside its key and its answer: its other columns, and its places in indexes. */
const rowBytes = 512;
/** That go at once. */
const refusalsAtOnce = 200;

/**
 * Notes in the caller's transaction what the request made. Fails when another boot has taken the key over meanwhile:
 * that boot makes its own, and there must not be two.
 */
export async function noteResource(
  trx: Kysely<Database>,
  claim: { projectId: string; key: string; bootId: string },
  resourceId: string,
): Promise<void> {
  const noted = await trx
    .updateTable('idempotency')
    .set({ resource_id: resourceId })
    .where('project_id', '=', claim.projectId)
    .where('key', '=', claim.key)
    .where('boot_id', '=', claim.bootId)
    .where('status_code', 'is', null)
    .returning('key')
    .executeTakeFirst();
  if (noted === undefined)
    throw new ApiError(
      'STORE_UNAVAILABLE',
      'Another process has taken this request over. Send it again with the same `Idempotency-Key`.',
    );
}

/** Part of the caller's transaction, in which these rows went. */
async function giveBack(
  trx: Kysely<Database>,
  removed: readonly { project_id: string; size: number }[],
): Promise<void> {
  // in one order for all, so that no two wait for each other
  const byProject = [...Map.groupBy(removed, ({ project_id }) => project_id)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  for (const [projectId, rows] of byProject) {
    const bytes = rows.reduce((sum, { size }) => sum + size, 0);
    await trx
      .updateTable('idempotency_room')
      .set((eb) => ({ bytes: eb('bytes', '-', bytes) }))
      .where('project_id', '=', projectId)
      .execute();
  }
}

/** Removes rows whose time is over, as many as are said, and returns how many those were. */
export function removePastKeys(connection: Connection, before: number, most: number): Promise<number> {
  return inTransaction(connection, async (trx) => {
    const { rows } = await sql<{ project_id: string; size: number }>`
      delete from idempotency where (project_id, key) in
        (select project_id, key from idempotency where created_at < ${before} limit ${sql.lit(most)})
      returning project_id, size`.execute(trx);
    await giveBack(trx, rows);
    return rows.length;
  });
}

/** False: there is none. */
function removeRefusals(connection: Connection, projectId: string): Promise<boolean> {
  return inTransaction(connection, async (trx) => {
    // word for word the condition of the index
    const { rows } = await sql<{ project_id: string; size: number }>`
      delete from idempotency where project_id = ${projectId} and key in
        (select key from idempotency
         where project_id = ${projectId} and resource_id is null and status_code in (400, 404)
         order by created_at limit ${sql.lit(refusalsAtOnce)})
      returning project_id, size`.execute(trx);
    await giveBack(trx, rows);
    return rows.length > 0;
  });
}

export function idempotency(connection: SealedConnection): Store['idempotency'] {
  const { db, sealing } = connection;
  const usedBy = (projectId: string) =>
    sql<number>`coalesce((select bytes from idempotency_room where project_id = ${projectId}), 0)`;
  const get: Store['idempotency']['get'] = async (projectId, key) => {
    const row = await db
      .selectFrom('idempotency')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('key', '=', key)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const body = row.body && (await openLargeText(sealing, row.body, aboutOf.answer(projectId, key)));
    const { size: _, ...kept } = row;
    return shape.toRecord({ ...kept, body });
  };

  return {
    get,

    async claim({ projectId, key, fingerprint, bootId, createdAt }, mostBytes) {
      const hasRoom = sql<boolean>`${usedBy(projectId)} < ${sql.lit(mostBytes)}`;
      for (;;) {
        const { rows: mine } = await sql`
          insert into idempotency (project_id, key, fingerprint, boot_id, created_at)
          select ${projectId}, ${key}, ${fingerprint}, ${bootId}, cast(${createdAt} as bigint) where ${hasRoom}
          on conflict (project_id, key) do nothing returning key`.execute(db);
        if (mine.length > 0) return undefined;
        const theirs = await get(projectId, key);
        if (theirs !== undefined) return theirs;
        const { rows } = await sql<{ room: boolean | number }>`select ${hasRoom} as room`.execute(db);
        if (!rows[0]?.room && !(await removeRefusals(connection, projectId))) return 'full';
        // released between the two statements, or room was made: free again
      }
    },

    async takeOver(projectId, key, fromBootId, toBootId) {
      const taken = await db
        .updateTable('idempotency')
        .set({ boot_id: toBootId })
        .where('project_id', '=', projectId)
        .where('key', '=', key)
        .where('boot_id', '=', fromBootId)
        .where('status_code', 'is', null)
        .returning('key')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async complete(projectId, key, bootId, { statusCode, body: text }) {
      const body = await sealLargeText(sealing, text, aboutOf.answer(projectId, key));
      const size = rowBytes + key.length + body.length;
      await inTransaction(connection, async (trx) => {
        const completed = await trx
          .updateTable('idempotency')
          .set({ status_code: statusCode, body, size })
          .where('project_id', '=', projectId)
          .where('key', '=', key)
          .where('boot_id', '=', bootId)
          .where('status_code', 'is', null)
          .returning('key')
          .executeTakeFirst();
        if (completed === undefined) return;
        await trx
          .insertInto('idempotency_room')
          .values({ project_id: projectId, bytes: size })
          .onConflict((conflict) =>
            conflict
              .column('project_id')
              .doUpdateSet((eb) => ({ bytes: eb('idempotency_room.bytes', '+', size) })),
          )
          .execute();
      });
    },

    async release(projectId, key, bootId) {
      await db
        .deleteFrom('idempotency')
        .where('project_id', '=', projectId)
        .where('key', '=', key)
        .where('boot_id', '=', bootId)
        .where('status_code', 'is', null)
        .execute();
    },
  };
}
