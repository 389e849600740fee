/**
 * Requests that may be sent twice: which boot claimed a key, and the answer that was given. Answers are sealed: that of a
 * new key or webhook holds its secret.
 */
import type { Kysely } from 'kysely';
import { ApiError } from '../../errors.ts';
import {
  aboutOf,
  type Database,
  openLargeText,
  rowShape,
  type SealedConnection,
  sealLargeText,
} from '../databases/databases.ts';
import type { IdempotencyRecord, Store } from '../records.ts';

const shape = rowShape<IdempotencyRecord>();

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

export function idempotency({ db, sealing }: SealedConnection): Store['idempotency'] {
  const get: Store['idempotency']['get'] = async (projectId, key) => {
    const row = await db
      .selectFrom('idempotency')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('key', '=', key)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const body = row.body && (await openLargeText(sealing, row.body, aboutOf.answer(projectId, key)));
    return shape.toRecord({ ...row, body });
  };

  return {
    get,

    async claim(claimed) {
      const row = shape.toRow({ ...claimed, resourceId: null, statusCode: null, body: null });
      for (;;) {
        const mine = await db
          .insertInto('idempotency')
          .values(row)
          .onConflict((conflict) => conflict.columns(['project_id', 'key']).doNothing())
          .returning('key')
          .executeTakeFirst();
        if (mine !== undefined) return undefined;
        const theirs = await get(claimed.projectId, claimed.key);
        if (theirs !== undefined) return theirs;
        // released between the two statements: free again
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
      await db
        .updateTable('idempotency')
        .set({ status_code: statusCode, body })
        .where('project_id', '=', projectId)
        .where('key', '=', key)
        .where('boot_id', '=', bootId)
        .where('status_code', 'is', null)
        .execute();
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
