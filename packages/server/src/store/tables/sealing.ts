/** The keys that have sealed something in this database, and the way from one key to the next. */
import { sql } from 'kysely';
import { SetupError } from '../../kit/setup-error.ts';
import { nowOf, type SealedConnection } from '../databases/databases.ts';
import type { Store } from '../records.ts';
import { resealAll } from './reseal.ts';
import { sharedPlace } from './vaults.ts';

/** Stands for "not sealed" among the ids of keys. */
const unsealed = 'none';

export function sealing(connection: SealedConnection): Store['sealing'] {
  const { kind, db, sealing: keys } = connection;
  const noted = async (): Promise<string[]> => {
    const rows = await db
      .selectFrom('sealing_keys')
      .select('id')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  };
  return {
    async check() {
      const known = new Set([unsealed, ...keys.keyIds]);
      const missing = (await noted()).filter((id) => !known.has(id));
      if (missing.length > 0) throw new SetupError(missingKeys(missing, keys));
      await db
        .insertInto('sealing_keys')
        .values({ id: keys.keyId, created_at: Date.now() })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },

    async join(nodeId) {
      await db
        .insertInto('sealing_nodes')
        .values({ node_id: nodeId, key_id: keys.keyId })
        .onConflict((conflict) => conflict.column('node_id').doUpdateSet({ key_id: keys.keyId }))
        .execute();
    },

    async hasUnsealed() {
      return (await noted()).includes(unsealed);
    },

    async reseal(signal) {
      const outcome = await resealAll(connection, signal);
      if (outcome.finished) await db.deleteFrom('sealing_keys').where('id', '=', unsealed).execute();
      return outcome;
    },

    async nodesWithOtherKey(withinMs) {
      const rows = await db
        .selectFrom('sealing_nodes')
        .innerJoin('nodes', 'nodes.id', 'sealing_nodes.node_id')
        .select(['sealing_nodes.node_id', 'sealing_nodes.key_id'])
        .where('nodes.state', '<>', 'gone')
        .where('nodes.renewed_at', '>=', sql<number>`${nowOf(kind)} - ${sql.lit(withinMs)}`)
        .where('sealing_nodes.key_id', '!=', keys.keyId)
        .execute();
      return rows.map(({ node_id, key_id }) => ({ nodeId: node_id, keyId: key_id }));
    },

    async hasSharedArchives() {
      const version = db.selectFrom('profile_versions').select('id').where('node_id', '=', sharedPlace);
      const vault = db.selectFrom('browsers').select('id').where('vault', 'is not', null);
      const found = await Promise.all([version.limit(1).execute(), vault.limit(1).execute()]);
      return found.flat().length > 0;
    },

    async forgetOthers() {
      const rows = await db
        .deleteFrom('sealing_keys')
        .where('id', 'not in', [keys.keyId, unsealed])
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

const missingKeys = (missing: string[], keys: SealedConnection['sealing']): string => {
  const [names, them, has] = missing.length === 1 ? ['the key', 'it', 'has'] : ['the keys', 'them', 'have'];
  const given = keys.keyIds.length === 0 ? 'There is no key at all' : `Given were ${keys.keyIds.join(', ')}`;
  return (
    `The database holds values that were sealed with ${names} ${missing.join(', ')}, and this service does not have ${them}. ` +
    `${given} (${keys.source}).\n` +
    `Add ${them} to BROWSERD_SECRET_KEY, separated by commas, after the one that seals (BROWSERD_SECRET_KEY=NEW,OLD), or put the ` +
    `key file \`secret-key\` of the data folder back from a backup; with PostgreSQL, every node needs the same keys.\n` +
    `If ${names} ${has} been lost, what was sealed with ${them} is lost too: start with an empty database.`
  );
};
