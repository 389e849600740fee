/**
 * What nodes must know of a browser before they claim it: which Chromium wrote its packed profile, since an older one cannot use
 * that, and until when a create waits in line, since the node that took it may be lost meanwhile.
 */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const claims = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('browsers').addColumn('vault_engine', 'text').execute();
    await db.schema.alterTable('browsers').addColumn('vault_major', 'bigint').execute();
    await db.schema.alterTable('browsers').addColumn('queued_until', 'bigint').execute();
  },
});
