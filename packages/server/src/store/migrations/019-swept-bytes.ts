/**
 * Bytes in storage that nodes share may be written by a node that was declared gone and lives on for a moment. A note of
 * what was removed of such a node stays for a while, so that nothing it does late counts.
 */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const sweptBytes = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('loose_blobs').addColumn('swept_at', 'bigint').execute();
  },
});
