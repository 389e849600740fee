/**
 * What browsers hold beside themselves. A browser cannot be removed before its artifacts: the code that removes a
 * record must also note that its bytes are loose, and the missing cascade makes a mistake there fail instead of
 * leaking.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export function artifacts(kind: Kind): Migration {
  // Ids are compared byte by byte, whatever the language of the server.
  const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('artifacts')
        .addColumn('id', id, (c) => c.primaryKey())
        .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
        .addColumn('browser_id', id, (c) => c.notNull().references('browsers.id'))
        .addColumn('node_id', id, (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('source', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('mime_type', 'text', (c) => c.notNull())
        .addColumn('size', 'bigint', (c) => c.notNull())
        .addColumn('sha256', 'text', (c) => c.notNull())
        .addColumn('details', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('artifacts_list')
        .on('artifacts')
        .columns(['browser_id', 'kind', 'created_at', 'id'])
        .execute();
      await db.schema
        .createTable('loose_blobs')
        .addColumn('id', id, (c) => c.primaryKey())
        .addColumn('node_id', id, (c) => c.notNull())
        .addColumn('boot_id', id)
        .execute();
      await db.schema.createIndex('loose_blobs_node').on('loose_blobs').columns(['node_id', 'id']).execute();
      await db.schema
        .createTable('project_storage')
        .addColumn('project_id', id, (c) => c.primaryKey().references('projects.id'))
        .addColumn('bytes', 'bigint', (c) => c.notNull())
        .execute();
    },
  };
}
