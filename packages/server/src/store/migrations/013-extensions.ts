/**
 * Extensions, and the browsers that use them. What uses one goes with either of the two; the bytes of an extension are noted
 * as loose by the code that removes it.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const extensions = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('extensions')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('node_id', id, (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('chromium_id', 'text', (c) => c.notNull())
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('manifest', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('extensions_list')
      .on('extensions')
      .columns(['project_id', 'created_at', 'id'])
      .execute();
    await db.schema
      .createTable('browser_extensions')
      .addColumn('browser_id', id, (c) => c.notNull().references('browsers.id').onDelete('cascade'))
      .addColumn('extension_id', id, (c) => c.notNull().references('extensions.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('browser_extensions_pair', ['browser_id', 'extension_id'])
      .execute();
    await db.schema
      .createIndex('browser_extensions_use')
      .on('browser_extensions')
      .column('extension_id')
      .execute();
  },
});
