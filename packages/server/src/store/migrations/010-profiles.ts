/**
 * Saved profiles and their versions. A version cannot go with its profile by a cascade: the code that removes it must note
 * that its bytes are loose, and the missing cascade makes a mistake there fail instead of leaking.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const profiles = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('profiles')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('name', id)
      .addColumn('metadata', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('cookie_count', 'bigint', (c) => c.notNull())
      .addColumn('cookie_domains', 'text', (c) => c.notNull())
      .addColumn('origins', 'bigint', (c) => c.notNull())
      .addColumn('writer', id)
      .addColumn('sign_in_check', 'text')
      .addColumn('health', 'text')
      .execute();
    const index = (name: string, table: string, columns: string[]): Promise<void> =>
      db.schema.createIndex(name).on(table).columns(columns).execute();
    await index('profiles_list', 'profiles', ['project_id', 'created_at', 'id']);
    await index('profiles_expiry', 'profiles', ['expires_at']);
    await sql`create unique index profiles_name on profiles (project_id, name) where name is not null`.execute(
      db,
    );
    await sql`create index profiles_writer on profiles (writer) where writer is not null`.execute(db);
    await db.schema
      .createTable('profile_metadata')
      .addColumn('profile_id', id, (c) => c.notNull().references('profiles.id').onDelete('cascade'))
      .addColumn('project_id', id, (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('profile_metadata_pair', ['profile_id', 'key'])
      .execute();
    await index('profile_metadata_list', 'profile_metadata', [
      'project_id',
      'key',
      'value',
      'created_at',
      'profile_id',
    ]);
    await db.schema
      .createTable('profile_versions')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('profile_id', id, (c) => c.notNull().references('profiles.id'))
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('node_id', id, (c) => c.notNull())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('browser_id', id)
      .addColumn('epoch', 'bigint')
      .addColumn('light', 'bigint', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('cookie_count', 'bigint', (c) => c.notNull())
      .addColumn('cookie_domains', 'text', (c) => c.notNull())
      .addColumn('origins', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addUniqueConstraint('profile_versions_number', ['profile_id', 'version'])
      .execute();
  },
});
