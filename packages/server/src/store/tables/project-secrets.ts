/** Secrets of projects, with their content sealed. */
import {
  aboutOf,
  type Database,
  openText,
  rowShape,
  type SealedConnection,
  sealText,
} from '../databases/databases.ts';
import type { ProjectSecretRecord, Store } from '../records.ts';
import { lightPage } from './light-page.ts';

const shape = rowShape<ProjectSecretRecord, 'origins' | 'metadata'>('origins', 'metadata');

export function projectSecrets({ db, sealing }: SealedConnection): Store['projectSecrets'] {
  const sealed = (id: string, content: string): string =>
    sealText(sealing, content, aboutOf.projectSecret(id));
  const toRecord = (row: Database['project_secrets']): ProjectSecretRecord => ({
    ...shape.toRecord(row),
    content: openText(sealing, row.content, aboutOf.projectSecret(row.id)),
  });
  const rows = () => db.selectFrom('project_secrets').selectAll();
  return {
    async insert(record) {
      const made = await db
        .insertInto('project_secrets')
        .values(shape.toRow({ ...record, content: sealed(record.id, record.content) }))
        .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
        .returning('id')
        .executeTakeFirst();
      return made !== undefined;
    },

    async get(id, projectId) {
      const row = await rows().where('id', '=', id).where('project_id', '=', projectId).executeTakeFirst();
      return row && toRecord(row);
    },

    async named(projectId, name) {
      const row = await rows()
        .where('project_id', '=', projectId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async totals(projectId) {
      const { count, bytes } = await db
        .selectFrom('project_secrets')
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.sum<number | null>('form_bytes').as('bytes'),
        ])
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow();
      return { count: Number(count), formBytes: Number(bytes) };
    },

    async list({ projectId, after, limit }) {
      let query = db
        .selectFrom('project_secrets')
        .select(['id', 'created_at'])
        .where('project_id', '=', projectId);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      return lightPage(db, projectId, {
        table: 'project_secrets',
        places: query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).as('page'),
        weighed: ['content', 'origins', 'metadata'],
        toRecord,
      });
    },

    async change(id, projectId, { content, ...patch }) {
      const row = await db
        .updateTable('project_secrets')
        .set((eb) => ({
          id: eb.ref('id'),
          ...shape.toPatch({ ...patch, ...(content !== undefined && { content: sealed(id, content) }) }),
        }))
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .returningAll()
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async remove(id, projectId) {
      const removed = await db
        .deleteFrom('project_secrets')
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .returning('id')
        .executeTakeFirst();
      return removed !== undefined;
    },

    async used({ since, after, limit }) {
      const found = await rows()
        .where('last_used_at', '>', since)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return found.map(toRecord);
    },
  };
}
