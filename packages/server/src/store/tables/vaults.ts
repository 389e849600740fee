/** The pointer from a browser to its packed profile: it moves by compare-and-set with the epoch, so nothing late is ever in force. */
import type { Kysely } from 'kysely';
import { type Connection, type Database, inTransaction } from '../databases/databases.ts';
import type { Store } from '../records.ts';
import { bindBytes, noteLoose } from './loose-bytes.ts';

/** What is put in one of these stays for ever: nothing looks after it any more. */
const over = ['closing', 'closed', 'failed'];

/** Packed profiles are kept only where all nodes can reach them. */
export const sharedPlace = 'shared';

/** Part of the caller's transaction, in which these browsers go. */
export async function loosenVaults(trx: Kysely<Database>, browserIds: readonly string[]): Promise<void> {
  const rows = await trx
    .selectFrom('browsers')
    .select('vault')
    .where('id', 'in', browserIds)
    .where('vault', 'is not', null)
    .execute();
  await noteLoose(
    trx,
    rows.flatMap(({ vault }) => (vault === null ? [] : [{ id: vault, node_id: sharedPlace }])),
  );
}

export function vaults(connection: Connection): Store['vaults'] {
  const { kind, db } = connection;
  const lockedVault = (trx: Kysely<Database>, browserId: string) =>
    trx
      .selectFrom('browsers')
      .select(['vault', 'epoch', 'status'])
      .where('id', '=', browserId)
      .$if(kind === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
  return {
    async point({ browserId, epoch }, { id, at, place, engine, major }) {
      return await inTransaction(connection, async (trx) => {
        const found = await lockedVault(trx, browserId);
        if (!found || found.epoch !== epoch || over.includes(found.status)) return undefined;
        const { vault: before } = found;
        await trx
          .updateTable('browsers')
          .set({ vault: id, vault_at: at, vault_engine: engine, vault_major: major })
          .where('id', '=', browserId)
          .execute();
        await bindBytes(trx, [id]);
        if (before !== null) await noteLoose(trx, [{ id: before, node_id: place }]);
        return { before };
      });
    },

    async drop(browserId, place) {
      return await inTransaction(connection, async (trx) => {
        const vault = (await lockedVault(trx, browserId))?.vault ?? undefined;
        if (vault === undefined) return undefined;
        await trx
          .updateTable('browsers')
          .set({ vault: null, vault_at: null, vault_engine: null, vault_major: null })
          .where('id', '=', browserId)
          .execute();
        await noteLoose(trx, [{ id: vault, node_id: place }]);
        return vault;
      });
    },

    async notAtHome(ids, { nodeId, bootId }) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('browsers')
        .select('id')
        .where('id', 'in', ids)
        .where((eb) => eb.or([eb('node_id', '=', nodeId), eb('holder', '=', bootId)]))
        .where('status', '<>', 'closed')
        .execute();
      const home = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !home.has(id));
    },
  };
}
