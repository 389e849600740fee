/** Webhooks and the deliveries to them; an index for lists of events of one type. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export function webhooks(kind: Kind): Migration {
  // Ids are compared byte by byte, whatever the language of the server.
  const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createIndex('events_type')
        .on('events')
        .columns(['project_id', 'type', 'seq'])
        .execute();
      await db.schema
        .createTable('webhooks')
        .addColumn('id', id, (c) => c.primaryKey())
        .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('events', 'text', (c) => c.notNull())
        .addColumn('description', 'text')
        .addColumn('secret', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('place', 'bigint', (c) => c.notNull())
        .addColumn('failing_since', 'bigint')
        .addColumn('disabled_at', 'bigint')
        .addColumn('disabled_reason', 'text')
        .execute();
      await db.schema
        .createIndex('webhooks_list')
        .on('webhooks')
        .columns(['project_id', 'created_at', 'id'])
        .execute();
      await db.schema
        .createTable('deliveries')
        .addColumn('id', id, (c) => c.primaryKey())
        .addColumn('webhook_id', id, (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
        .addColumn('message_id', id, (c) => c.notNull())
        .addColumn('event_type', 'text', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('tries', 'bigint', (c) => c.notNull())
        .addColumn('attempts', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('claimed_by', 'text')
        .execute();
      await db.schema
        .createIndex('deliveries_list')
        .on('deliveries')
        .columns(['webhook_id', 'created_at', 'id'])
        .execute();
      await db.schema
        .createIndex('deliveries_due')
        .on('deliveries')
        .columns(['webhook_id', 'state', 'next_at'])
        .execute();
      await db.schema
        .createIndex('deliveries_state')
        .on('deliveries')
        .columns(['webhook_id', 'state', 'created_at', 'id'])
        .execute();
      await sql`create index deliveries_claimed on deliveries (claimed_by) where claimed_by is not null`.execute(
        db,
      );
      await db.schema.createIndex('deliveries_sweep').on('deliveries').columns(['created_at']).execute();
    },
  };
}
