/**
 * Nodes that are gone for good: their rows go, and with them what only they could have looked after, which is the notes of loose
 * bytes on their disks. A node whose row went and that comes back after all registers anew; what it was to remove stays there.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Connection, type Database, inTransaction, nowOf } from '../databases/databases.ts';
import type { Store } from '../records.ts';
import { sharedPlace } from './vaults.ts';

/** Loose bytes whose node is not known any more: also those that became loose after its row went. */
const isOrphaned = sql<boolean>`node_id <> ${sql.lit(sharedPlace)} and node_id not in (select id from nodes)`;

/** What it had under way is ended first, by a node that takes it over. */
const isPast = (goneBefore: RawBuilder<number>): RawBuilder<boolean> => sql<boolean>`
  state = 'gone' and gone_at < ${goneBefore}
  and not exists (
    select 1 from artifacts where artifacts.node_id = nodes.id and artifacts.boot_id is not null
      and artifacts.boot_id not in (select boot_id from nodes where state <> 'gone'))`;

export const forgetGone =
  (connection: Connection): Store['nodes']['forgetGone'] =>
  async (goneForMs) => {
    const goneBefore = sql<number>`${nowOf(connection.kind)} - ${sql.lit(Math.round(goneForMs))}`;
    if (!(await isAnything(connection.db, goneBefore))) return { nodes: 0, blobs: 0 };
    return await inTransaction(connection, async (trx) => {
      const nodes = await trx.deleteFrom('nodes').where(isPast(goneBefore)).returning('id').execute();
      const ids = nodes.map(({ id }) => id);
      if (ids.length > 0) await trx.deleteFrom('sealing_nodes').where('node_id', 'in', ids).execute();
      const blobs = await trx.deleteFrom('loose_blobs').where(isOrphaned).returning('id').execute();
      return { nodes: nodes.length, blobs: blobs.length };
    });
  };

/** Mostly there is nothing, and that costs one statement. */
async function isAnything(db: Kysely<Database>, goneBefore: RawBuilder<number>): Promise<boolean> {
  const { rows } = await sql`
    select 1 as one where exists (select 1 from nodes where ${isPast(goneBefore)})
      or exists (select 1 from loose_blobs where ${isOrphaned})`.execute(db);
  return rows.length > 0;
}
