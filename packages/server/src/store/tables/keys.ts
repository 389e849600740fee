/** API keys by the hash of their secret. */
import type { Kysely } from 'kysely';
import { type Connection, type Database, rowShape } from '../databases/databases.ts';
import type { KeyRecord, Store } from '../records.ts';

const shape = rowShape<KeyRecord>();

export function keys({ kind, db }: Connection): Store['keys'] {
  /** The admin keys of a project that are not revoked, locked until the transaction ends, in one order for all. */
  const lockAdmins = (trx: Kysely<Database>, projectId: string) =>
    trx
      .selectFrom('keys')
      .select(['id', 'expires_at'])
      .where('project_id', '=', projectId)
      .where('role', '=', 'admin')
      .where('revoked_at', 'is', null)
      .orderBy('id')
      .$if(kind === 'postgres', (query) => query.forUpdate())
      .execute();

  return {
    async insert(key) {
      await db
        .insertInto('keys')
        .values(shape.toRow(key))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async findByHash(hash) {
      const row = await db
        .selectFrom('keys')
        .selectAll()
        .where('hash', '=', hash)
        .orderBy((eb) => eb.case().when('revoked_at', 'is', null).then(0).else(1).end())
        .orderBy('revoked_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async get(id) {
      const row = await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async list({ projectId, after, limit }) {
      let query = db.selectFrom('keys').selectAll().where('revoked_at', 'is', null);
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(shape.toRecord);
    },

    async revoke(id, projectId, at) {
      return await db.transaction().execute(async (trx) => {
        let query = trx.selectFrom('keys').select(['project_id', 'role']).where('id', '=', id);
        if (projectId !== undefined) query = query.where('project_id', '=', projectId);
        const key = await query.executeTakeFirst();
        if (key === undefined) return 'unknown';
        if (key.role === 'admin') {
          const admins = await lockAdmins(trx, key.project_id);
          const usable = admins.filter(({ expires_at }) => expires_at === null || expires_at > at);
          if (usable.length === 1 && usable[0]?.id === id) return 'lastAdmin';
        }
        const revoked = await trx
          .updateTable('keys')
          .set({ revoked_at: at })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        return revoked === undefined ? 'unknown' : 'revoked';
      });
    },

    async touch(id, at) {
      await db
        .updateTable('keys')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute();
    },

    async count() {
      const { count } = await db
        .selectFrom('keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}
