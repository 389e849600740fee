/** Fonts of projects. */
import { type Connection, inTransaction, rowShape } from '../databases/databases.ts';
import type { FontRecord, Store } from '../records.ts';
import { loosen, occupy } from './artifacts.ts';
import { lightPage } from './light-page.ts';
import { bindBytes } from './loose-bytes.ts';

const shape = rowShape<FontRecord, 'faces'>('faces');

export function fonts(connection: Connection): Store['fonts'] {
  const { db } = connection;
  return {
    insert: (record, { most, quotaBytes }) =>
      inTransaction(connection, async (trx) => {
        const { projectId, size, sha256 } = record;
        // First, because it holds the row of the project: two uploads at once cannot both be the last that fits.
        if (!(await occupy(trx, projectId, size, quotaBytes))) return 'overQuota';
        const refused = async <T>(outcome: T): Promise<T> => {
          await occupy(trx, projectId, -size, null);
          return outcome;
        };
        const ofProject = trx.selectFrom('fonts').where('project_id', '=', projectId);
        const same = await ofProject.selectAll().where('sha256', '=', sha256).executeTakeFirst();
        if (same) return refused(shape.toRecord(same));
        const { count } = await ofProject
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) return refused('tooMany' as const);
        await trx.insertInto('fonts').values(shape.toRow(record)).execute();
        await bindBytes(trx, [record.id]);
        return 'inserted';
      }),

    async get(id, projectId) {
      const row = await db
        .selectFrom('fonts')
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async list({ projectId, after, limit }) {
      let query = db.selectFrom('fonts').select(['id', 'created_at']).where('project_id', '=', projectId);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      return lightPage(db, projectId, {
        table: 'fonts',
        places: query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).as('page'),
        weighed: ['faces'],
        toRecord: shape.toRecord,
      });
    },

    ofProject: (projectId) =>
      db
        .selectFrom('fonts')
        .select(['id', 'format'])
        .where('project_id', '=', projectId)
        .orderBy('id')
        .execute(),

    remove: (id, projectId) =>
      inTransaction(connection, async (trx) => {
        const rows = await trx
          .deleteFrom('fonts')
          .where('id', '=', id)
          .where('project_id', '=', projectId)
          .returning(['id', 'node_id', 'project_id', 'size'])
          .execute();
        await loosen(trx, rows);
        return rows.length > 0;
      }),
  };
}
