/**
 * What a project's deliveries are counted and found by, so that a look for its own costs no more for those of others; and how many
 * events a webhook was not told of. A node of the version before writes deliveries without their project: nodes of this one add it.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const deliveryRoom = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    // Compared byte by byte, whatever the language of the server.
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema.alterTable('deliveries').addColumn('project_id', id).execute();
    await sql`
      update deliveries set project_id = (select project_id from webhooks where webhooks.id = deliveries.webhook_id)`.execute(
      db,
    );
    await sql`
      create index deliveries_waiting on deliveries (project_id, next_at, webhook_id) where state = 'pending'`.execute(
      db,
    );
    await sql`
      create index deliveries_over on deliveries (project_id, created_at, id) where state <> 'pending'`.execute(
      db,
    );
    await sql`create index deliveries_of_nobody on deliveries (id) where project_id is null`.execute(db);
    await sql`create index webhooks_of_project on webhooks (project_id, place) where job_id is null`.execute(
      db,
    );
    await db.schema
      .alterTable('webhooks')
      .addColumn('dropped', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('webhooks').addColumn('dropped_at', 'bigint').execute();
  },
});
