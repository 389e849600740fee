/**
 * What jobs hold counts for their project, and is given back with them. A job with many pages is written in several transactions,
 * by a boot that may be lost meanwhile: such a job says which.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const jobRoom = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .alterTable('jobs')
      .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('jobs').addColumn('maker', id).execute();
    await sql`create index jobs_open on jobs (project_id) where ended_at is null or maker is not null`.execute(
      db,
    );
    await sql`create index jobs_maker on jobs (maker) where maker is not null`.execute(db);
  },
});
