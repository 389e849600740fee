/**
 * Several nodes on one database: which boot holds a browser, until when a boot counts as alive by the database's clock, which
 * browsers wait for a holder, and whose turn a chore is.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

/** With a Chromium, or on the way to or from one. */
const open = sql`('creating', 'ready', 'stopping', 'resuming', 'recovering', 'closing')`;

export function cluster(kind: Kind): Migration {
  const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  const bytes = kind === 'postgres' ? sql`bytea` : sql`blob`;

  const nodes = async (db: Kysely<unknown>): Promise<void> => {
    const add = (name: string, type: 'text' | 'bigint', fallback?: string | number): Promise<void> =>
      db.schema
        .alterTable('nodes')
        .addColumn(name, type, (c) => (fallback === undefined ? c : c.notNull().defaultTo(fallback)))
        .execute();
    await add('state', 'text', 'up');
    for (const name of ['address', 'version', 'zone', 'engines']) await add(name, 'text');
    for (const name of ['capacity', 'used', 'warm', 'renewed_at']) await add(name, 'bigint', 0);
    await add('gone_at', 'bigint');
    await db.schema.createIndex('nodes_boot').on('nodes').column('boot_id').unique().execute();
  };

  const browsers = async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.alterTable('browsers').addColumn('holder', id).execute();
    await db.schema.alterTable('browsers').addColumn('queued_at', 'bigint').execute();
    await db.schema.alterTable('browsers').addColumn('vault', id).execute();
    await db.schema.alterTable('browsers').addColumn('vault_at', 'bigint').execute();
    await sql`
      update browsers set holder = (select boot_id from nodes where nodes.id = browsers.node_id)
      where status in ${open}`.execute(db);
    await db.schema.createIndex('browsers_holder').on('browsers').columns(['holder', 'status']).execute();
    await sql`
      create index browsers_homeless on browsers (queued_at)
      where holder is null and status in ('creating', 'resuming', 'recovering', 'stopping', 'closing')`.execute(
      db,
    );
    await sql`
      create index browsers_overdue on browsers (expires_at)
      where holder is null and status in ('stopped', 'failed')`.execute(db);
    await db.schema.alterTable('projects').addColumn('served_at', 'bigint').execute();
  };

  /** A state is text, or packed bytes. SQLite cannot lift a `not null`, so there the table is made anew. */
  const checkpoints = async (db: Kysely<unknown>): Promise<void> => {
    if (kind === 'postgres') {
      await db.schema.alterTable('checkpoints').addColumn('body', bytes).execute();
      await db.schema
        .alterTable('checkpoints')
        .alterColumn('data', (c) => c.dropNotNull())
        .execute();
      return;
    }
    await db.schema.alterTable('checkpoints').renameTo('checkpoints_before').execute();
    await db.schema
      .createTable('checkpoints')
      .addColumn('browser_id', id, (c) => c.primaryKey().references('browsers.id').onDelete('cascade'))
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('data', 'text')
      .addColumn('body', bytes)
      .execute();
    await sql`
      insert into checkpoints (browser_id, epoch, at, data)
      select browser_id, epoch, at, data from checkpoints_before`.execute(db);
    await db.schema.dropTable('checkpoints_before').execute();
  };

  return {
    async up(db: Kysely<unknown>) {
      await nodes(db);
      await browsers(db);
      await checkpoints(db);
      await db.schema
        .createTable('turns')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('calm_since', 'bigint', (c) => c.notNull())
        .execute();
      // One row: the oldest version whose code may still run on this schema, by the last migration that it knows.
      await db.schema
        .createTable('schema_floor')
        .addColumn('oldest', 'text', (c) => c.notNull())
        .execute();
      await sql`insert into schema_floor (oldest) values ('018-cluster')`.execute(db);
    },
  };
}
