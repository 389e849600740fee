/**
 * Answers that are kept for a repetition of their request have a limit for each project, counted as they are kept and as they go.
 * Those that changed nothing are found at once, oldest first, because they make room for others.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const idempotencyRoom = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .alterTable('idempotency')
      .addColumn('size', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('idempotency_room')
      .addColumn('project_id', id, (c) => c.primaryKey())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .execute();
    await sql`create index idempotency_refusals on idempotency (project_id, created_at)
      where resource_id is null and status_code in (400, 404)`.execute(db);
  },
});
