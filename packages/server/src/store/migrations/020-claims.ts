/**
 * What nodes must know of a browser before they claim it: which Chromium wrote its packed profile, since an older one cannot use
 * that, and until when a create waits in line, since the node that took it may be lost meanwhile. And what they show of one that
 * another node runs: whether it waits for a person.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const claims = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('browsers').addColumn('vault_engine', 'text').execute();
    await db.schema.alterTable('browsers').addColumn('vault_major', 'bigint').execute();
    await db.schema.alterTable('browsers').addColumn('queued_until', 'bigint').execute();
    await db.schema.alterTable('browsers').addColumn('handoff', 'text').execute();
    await sql`create index browsers_handoff on browsers (project_id) where handoff is not null`.execute(db);
  },
});
