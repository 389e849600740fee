/** Fonts of projects. The same bytes are one font of a project, whatever is sent twice. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const fonts = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('fonts')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('node_id', id, (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('format', 'text', (c) => c.notNull())
      .addColumn('faces', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('fonts_list')
      .on('fonts')
      .columns(['project_id', 'created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('fonts_bytes')
      .on('fonts')
      .columns(['project_id', 'sha256'])
      .unique()
      .execute();
  },
});
