/**
 * Which keys have sealed something here, so that a start without one of them is refused, and which key each node seals
 * with. The row `none` says that there may be values from before anything was sealed.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

interface After {
  sealing_keys: { id: string; created_at: number };
}

export const sealing = (kind: Kind): Migration => ({
  async up(db: Kysely<After>) {
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('sealing_keys')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('sealing_nodes')
      .addColumn('node_id', id, (c) => c.primaryKey())
      .addColumn('key_id', id, (c) => c.notNull())
      .execute();
    await db.insertInto('sealing_keys').values({ id: 'none', created_at: Date.now() }).execute();
  },
});
