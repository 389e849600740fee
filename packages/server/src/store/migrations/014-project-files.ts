/**
 * Files of a project, which belong to no browser. One that a job made goes with the job; the code that removes a record notes
 * that its bytes are loose.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const projectFiles = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('project_files')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('node_id', id, (c) => c.notNull())
      .addColumn('job_id', id)
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('mime_type', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('project_files_list')
      .on('project_files')
      .columns(['project_id', 'created_at', 'id'])
      .execute();
    await sql`create index project_files_expiry on project_files (expires_at) where expires_at is not null`.execute(
      db,
    );
    await sql`create index project_files_job on project_files (job_id) where job_id is not null`.execute(db);
  },
});
