/** Artifacts that are listed while they are still being made: downloads and recordings. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export function unfinishedArtifacts(kind: Kind): Migration {
  const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('artifacts')
        .addColumn('state', 'text', (c) => c.notNull().defaultTo('ready'))
        .execute();
      await db.schema.alterTable('artifacts').addColumn('boot_id', id).execute();
      await db.schema
        .createIndex('artifacts_unfinished')
        .on('artifacts')
        .column('node_id')
        .where(sql.ref('boot_id'), 'is not', null)
        .execute();
    },
  };
}
