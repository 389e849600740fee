/** What became of the page that a create asked for. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const startPage = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('browsers').addColumn('start_page', 'text').execute();
  },
});
