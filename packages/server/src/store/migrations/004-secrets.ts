/** Secrets that all nodes of one database share and that outlive a restart, such as the one that signs addresses. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export function secrets(kind: Kind): Migration {
  const name = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('secrets')
        .addColumn('name', name, (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .execute();
    },
  };
}
