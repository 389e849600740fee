/**
 * Answers of quick actions that may be given again. Their bytes lie outside of the database, on the node that made them, and
 * are noted as loose by the code that removes a row.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const cachedAnswers = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('cached_answers')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('node_id', id, (c) => c.notNull())
      .addColumn('key', id, (c) => c.notNull())
      .addColumn('profile_id', id)
      .addColumn('made_at', 'bigint', (c) => c.notNull())
      .addColumn('checked_at', 'bigint', (c) => c.notNull())
      .addColumn('used_at', 'bigint', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('cached_answers_key', ['project_id', 'node_id', 'key'])
      .execute();
    await db.schema
      .createIndex('cached_answers_used')
      .on('cached_answers')
      .columns(['project_id', 'node_id', 'used_at'])
      .execute();
    await db.schema
      .createIndex('cached_answers_checked')
      .on('cached_answers')
      .columns(['node_id', 'checked_at'])
      .execute();
    await db.schema
      .createIndex('cached_answers_profile')
      .on('cached_answers')
      .columns(['profile_id'])
      .execute();
  },
});
