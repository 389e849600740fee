/**
 * Extensions, and which browsers use them. A browser takes hold of its extensions in the transaction in which it is made, so
 * that none can be deleted between the look and the use.
 */
import type { Kysely } from 'kysely';
import {
  type Connection,
  type Database,
  inTransaction,
  type Kind,
  rowShape,
} from '../databases/databases.ts';
import type { ExtensionRecord, Store } from '../records.ts';
import { loosen, occupy } from './artifacts.ts';
import { lightPage } from './light-page.ts';
import { bindBytes } from './loose-bytes.ts';

const shape = rowShape<ExtensionRecord, 'manifest'>('manifest');

/** A browser in one of these never starts again. */
const over = ['closed', 'failed'];

/** Held until the end of the transaction: a browser that takes it and a caller who deletes it wait for each other. */
const locked = (trx: Kysely<Database>, kind: Kind, ids: readonly string[], projectId: string) =>
  trx
    .selectFrom('extensions')
    .selectAll()
    .where('id', 'in', ids)
    .where('project_id', '=', projectId)
    // in one order for all, so that no two wait for each other
    .orderBy('id')
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .execute();

/** Part of the transaction in which the browser is made, before it; undefined: they are all there. */
export async function missingExtension(
  trx: Kysely<Database>,
  kind: Kind,
  ids: readonly string[],
  projectId: string,
): Promise<{ missing: string } | undefined> {
  if (ids.length === 0) return undefined;
  const found = new Set((await locked(trx, kind, ids, projectId)).map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  return missing === undefined ? undefined : { missing };
}

/** Part of the same transaction, after it. */
export async function holdExtensions(
  trx: Kysely<Database>,
  ids: readonly string[],
  browserId: string,
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .insertInto('browser_extensions')
    .values(ids.map((extension_id) => ({ browser_id: browserId, extension_id })))
    .execute();
}

export function extensions(connection: Connection): Store['extensions'] {
  const { kind, db } = connection;
  return {
    insert: (record, { most, quotaBytes }) =>
      inTransaction(connection, async (trx) => {
        // First, because it holds the row of the project: two uploads at once cannot both be the last that fits.
        if (!(await occupy(trx, record.projectId, record.size, quotaBytes))) return 'overQuota';
        const { count } = await trx
          .selectFrom('extensions')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('project_id', '=', record.projectId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) {
          await occupy(trx, record.projectId, -record.size, null);
          return 'tooMany';
        }
        await trx.insertInto('extensions').values(shape.toRow(record)).execute();
        await bindBytes(trx, [record.id]);
        return 'inserted';
      }),

    async get(id, projectId) {
      const row = await db
        .selectFrom('extensions')
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async list({ projectId, after, limit }) {
      let query = db
        .selectFrom('extensions')
        .select(['id', 'created_at'])
        .where('project_id', '=', projectId);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      return lightPage(db, projectId, {
        table: 'extensions',
        places: query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).as('page'),
        weighed: ['manifest'],
        toRecord: shape.toRecord,
      });
    },

    remove: (id, projectId) =>
      inTransaction(connection, async (trx) => {
        const [row] = await locked(trx, kind, [id], projectId);
        if (!row) return 'gone';
        const user = await trx
          .selectFrom('browser_extensions')
          .innerJoin('browsers', 'browsers.id', 'browser_extensions.browser_id')
          .select('browsers.id')
          .where('browser_extensions.extension_id', '=', id)
          .where('browsers.status', 'not in', over)
          .executeTakeFirst();
        if (user) return { heldBy: user.id };
        await trx.deleteFrom('extensions').where('id', '=', id).execute();
        await loosen(trx, [row]);
        return 'removed';
      }),
  };
}
