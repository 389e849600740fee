/**
 * The first tables. Lists are ordered by (created_at, id), newest first, and every filter of a list has an index that
 * ends in these two, so that a page costs the same wherever it lies and however many records there are.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export function records(kind: Kind): Migration {
  // Ids are compared byte by byte, whatever the language of the server.
  const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;

  const people = async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('projects')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('keys')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .execute();
    await db.schema.createIndex('keys_hash').on('keys').columns(['hash', 'revoked_at']).execute();
    // A secret may come back after its key was revoked, but never twice at the same time.
    await sql`create unique index keys_usable_hash on keys (hash) where revoked_at is null`.execute(db);
    await db.schema.createIndex('keys_list').on('keys').columns(['created_at', 'id']).execute();
    await db.schema
      .createIndex('keys_project')
      .on('keys')
      .columns(['project_id', 'created_at', 'id'])
      .execute();
    await db.schema
      .createTable('nodes')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('boot_id', 'text', (c) => c.notNull())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('heartbeat_at', 'bigint', (c) => c.notNull())
      .execute();
  };

  const browsers = async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('browsers')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('status_reason', 'text')
      .addColumn('name', 'text')
      .addColumn('metadata', 'text', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('ready_at', 'bigint')
      .addColumn('last_action_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('stopped_at', 'bigint')
      .addColumn('closed_at', 'bigint')
      .addColumn('receipt', 'text')
      .addColumn('max_duration', 'bigint', (c) => c.notNull())
      .addColumn('idle_timeout', 'bigint')
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .addColumn('recoveries', 'bigint', (c) => c.notNull())
      .addColumn('tabs', 'bigint', (c) => c.notNull())
      .addColumn('node_id', id)
      .execute();
    const index = (name: string, columns: string[]): Promise<void> =>
      db.schema.createIndex(name).on('browsers').columns(columns).execute();
    await index('browsers_list', ['project_id', 'created_at', 'id']);
    await index('browsers_status', ['project_id', 'status', 'created_at', 'id']);
    await index('browsers_node', ['node_id', 'status', 'created_at', 'id']);
    await index('browsers_sweep', ['status', 'closed_at']);
  };

  const metadata = async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('browser_metadata')
      .addColumn('browser_id', id, (c) => c.notNull().references('browsers.id').onDelete('cascade'))
      .addColumn('project_id', id, (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('browser_metadata_pair', ['browser_id', 'key'])
      .execute();
    const index = (name: string, columns: string[]): Promise<void> =>
      db.schema.createIndex(name).on('browser_metadata').columns(columns).execute();
    await index('browser_metadata_list', ['project_id', 'key', 'value', 'created_at', 'browser_id']);
    await index('browser_metadata_status', [
      'project_id',
      'key',
      'value',
      'status',
      'created_at',
      'browser_id',
    ]);
  };

  const traces = async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('checkpoints')
      .addColumn('browser_id', id, (c) => c.primaryKey().references('browsers.id').onDelete('cascade'))
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('events')
      .addColumn('seq', kind === 'postgres' ? 'bigint' : 'integer', (c) =>
        kind === 'postgres' ? c.primaryKey().generatedAlwaysAsIdentity() : c.primaryKey().autoIncrement(),
      )
      .addColumn('id', id, (c) => c.notNull().unique())
      .addColumn('project_id', id, (c) => c.notNull())
      .addColumn('browser_id', id, (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('events_project').on('events').columns(['project_id', 'seq']).execute();
    await db.schema.createIndex('events_browser').on('events').columns(['browser_id', 'seq']).execute();
    await db.schema
      .createTable('idempotency')
      .addColumn('project_id', id, (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('boot_id', 'text', (c) => c.notNull())
      .addColumn('resource_id', 'text')
      .addColumn('status_code', 'bigint')
      .addColumn('body', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_key', ['project_id', 'key'])
      .execute();
    await db.schema.createIndex('idempotency_sweep').on('idempotency').columns(['created_at']).execute();
  };

  return {
    async up(db) {
      await people(db);
      await browsers(db);
      await metadata(db);
      await traces(db);
    },
  };
}
