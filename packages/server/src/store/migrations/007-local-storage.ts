/** Local storage leaves the checkpoint's text: a row for each origin, written when that origin's has changed. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const localStorage = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('local_storage')
      .addColumn('browser_id', id, (c) => c.notNull().references('browsers.id').onDelete('cascade'))
      .addColumn('origin', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('items', kind === 'postgres' ? 'bytea' : 'blob', (c) => c.notNull())
      .addPrimaryKeyConstraint('local_storage_key', ['browser_id', 'origin'])
      .execute();
  },
});
