/** Nodes, their boots, and until when each counts as alive: by the clock of the database, never by that of a node. */
import { type Kysely, sql, type Transaction } from 'kysely';
import {
  type Database,
  inTransaction,
  type Kind,
  type LeaseConnection,
  nowOf,
  rowShape,
  type SealedConnection,
} from '../databases/databases.ts';
import type { Hearing, NewNode, NodeRecord, NodeSeen, Store } from '../records.ts';
import { buryLocked, lockedForBurial } from './burial.ts';
import { forgetGone } from './gone-nodes.ts';
import { waitingStatuses } from './placement.ts';
import { turns } from './turns.ts';

const shape = rowShape<NodeRecord>();

/** Longer than any head start; nodes that cannot use a profile still leave it to others. */
const longWaitMs = 2000;

const seen = (kind: Kind, db: Kysely<Database>) =>
  db
    .selectFrom('nodes')
    .selectAll()
    .select(sql<number>`${nowOf(kind)} - renewed_at`.as('age'));

const toSeen = ({ age, ...row }: Database['nodes'] & { age: number }): NodeSeen => ({
  ...shape.toRecord(row),
  age,
});

const isSameSign = (
  a: Pick<NodeRecord, 'bootId' | 'heartbeatAt'>,
  b: Pick<NodeRecord, 'bootId' | 'heartbeatAt'>,
): boolean => a.bootId === b.bootId && a.heartbeatAt === b.heartbeatAt;

async function heard(
  trx: Kysely<Database>,
  kind: Kind,
  { id }: NewNode,
  { since, silent, ownBefore }: Hearing,
): Promise<NodeSeen[]> {
  const rows = await seen(kind, trx).where('heartbeat_at', '>', since).execute();
  return rows
    .map(toSeen)
    .filter((node) => node.id !== id || node.bootId !== ownBefore)
    .filter((node) => !silent.some((dead) => isSameSign(dead, node)));
}

/** In the way of a node that joins others: a copy of its own folder elsewhere, and nodes that know nothing of others. */
async function inTheWay(
  trx: Kysely<Database>,
  kind: Kind,
  own: NewNode,
  { ttlMs, ownBefore }: { ttlMs: number; ownBefore: string | undefined },
): Promise<NodeSeen[]> {
  const rows = await seen(kind, trx).where('state', '<>', 'gone').execute();
  return rows
    .map(toSeen)
    .filter(({ age }) => age < ttlMs)
    .filter(({ id, bootId, address }) =>
      id === own.id ? bootId !== ownBefore || address !== own.address : address === null,
    );
}

async function register(trx: Kysely<Database>, kind: Kind, node: NewNode): Promise<void> {
  const row = {
    ...shape.toRow({
      address: null,
      version: null,
      zone: null,
      engines: null,
      capacity: 0,
      ...node,
      state: 'up',
      used: 0,
      warm: 0,
      renewedAt: 0,
      goneAt: null,
    }),
    renewed_at: nowOf(kind),
  };
  await trx
    .insertInto('nodes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Any number of our own. */
const bootLock = 20_251;

/** Of two that start at the same moment, the second must see the first. SQLite lets one write at a time anyway. */
async function oneAtATime(trx: Kysely<Database>, kind: Kind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(bootLock)})`.execute(trx);
}

const bootOf = async (trx: Kysely<Database>, id: string): Promise<string | undefined> =>
  (await trx.selectFrom('nodes').select('boot_id').where('id', '=', id).executeTakeFirst())?.boot_id;

/** What no boot holds and yet is not over was left by a version that knew no holders, on the node that is its home. */
async function takeOver(trx: Kysely<Database>, { id, bootId }: NewNode, before?: string): Promise<void> {
  await trx
    .updateTable('browsers')
    .set({ holder: bootId, queued_at: null })
    .where((eb) =>
      eb.or([
        eb('holder', '=', before ?? bootId),
        eb.and([
          eb('holder', 'is', null),
          eb('node_id', '=', id),
          eb('status', 'in', ['ready', ...waitingStatuses]),
        ]),
      ]),
    )
    .execute();
}

export function nodes(connection: SealedConnection, lease?: LeaseConnection): Store['nodes'] {
  const { kind, db } = connection;

  const bury: Store['nodes']['bury'] = (bootId, cause, headStartMs) =>
    inTransaction(connection, async (trx) => {
      const node = await lockedForBurial(trx, kind, bootId);
      return node ? await buryLocked(connection, trx, { ...node, bootId }, cause, headStartMs) : [];
    });

  return {
    bury,

    async boot(node, hearing) {
      return await inTransaction(connection, async (trx) => {
        await oneAtATime(trx, kind);
        const others = hearing ? await heard(trx, kind, node, hearing) : [];
        if (others.length > 0) return others;
        const before = await bootOf(trx, node.id);
        await register(trx, kind, node);
        await takeOver(trx, node, before);
        if (hearing) await buryOthers(connection, trx, node.bootId);
        return [];
      });
    },

    async join(node, about) {
      return await inTransaction(connection, async (trx) => {
        await oneAtATime(trx, kind);
        const others = await inTheWay(trx, kind, node, about);
        if (others.length > 0) return others;
        const before = await bootOf(trx, node.id);
        const dead = before === undefined ? undefined : await lockedForBurial(trx, kind, before);
        if (dead && before) await buryLocked(connection, trx, { ...dead, bootId: before }, 'restart', 0);
        await register(trx, kind, node);
        return [];
      });
    },

    async renew({ bootId, ...load }, limit) {
      const query = db
        .updateTable('nodes')
        .set({ ...load, renewed_at: nowOf(kind), heartbeat_at: Date.now() })
        .where('boot_id', '=', bootId)
        .where('state', '<>', 'gone')
        .returning('renewed_at as at');
      if (!limit || !lease) return await query.executeTakeFirst();
      const row = await lease.first(query.compile(), limit.timeoutMs);
      return row && { at: Number(row.at) };
    },

    async leave(bootId) {
      await bury(bootId, 'drain', longWaitMs);
    },

    async drain(bootId) {
      const row = await db
        .updateTable('nodes')
        .set({ state: 'draining' })
        .where('boot_id', '=', bootId)
        .where('state', '<>', 'gone')
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async reap({ ttlMs, heartbeatMs, headStartMs }) {
      // The clock of the database may jump too: a jump that counts as no gap must be shorter than what lies between the gate
      // of a node and the end of its lease.
      const turn = await turns(connection).take('reap', heartbeatMs / 2, ttlMs / 3);
      if (!turn || turn.calmSince >= turn.now - ttlMs) return [];
      const over = await db
        .selectFrom('nodes')
        .select('boot_id')
        .where('state', '<>', 'gone')
        .where('renewed_at', '<', turn.now - ttlMs)
        .execute();
      const buried: string[] = [];
      for (const { boot_id: bootId } of over)
        if (await buryOverdue(connection, bootId, ttlMs, headStartMs)) buried.push(bootId);
      return buried;
    },

    forgetGone: forgetGone(connection),

    async list() {
      const rows = await seen(kind, db).orderBy('started_at').orderBy('id').execute();
      return rows.map(toSeen);
    },

    async clock() {
      const { rows } = await sql<{ now: number }>`select ${nowOf(kind)} as now`.execute(db);
      return rows[0]?.now ?? Number.NaN;
    },
  };
}

/** None of them is alive: their rows were left by machines that ended without a word. */
async function buryOthers(
  connection: SealedConnection,
  trx: Transaction<Database>,
  ownBoot: string,
): Promise<void> {
  const rows = await trx
    .selectFrom('nodes')
    .select(['id', 'boot_id'])
    .where('state', '<>', 'gone')
    .where('boot_id', '<>', ownBoot)
    .$if(connection.kind === 'postgres', (query) => query.forUpdate())
    .execute();
  for (const { id, boot_id: bootId } of rows) await buryLocked(connection, trx, { id, bootId }, 'lease', 0);
}

/** Unless it is just being renewed, which its lock says, or was renewed since it was looked at. */
async function buryOverdue(
  connection: SealedConnection,
  bootId: string,
  ttlMs: number,
  headStartMs: number,
): Promise<boolean> {
  const { kind } = connection;
  return await inTransaction(connection, async (trx) => {
    const node = await trx
      .selectFrom('nodes')
      .select('id')
      .where('boot_id', '=', bootId)
      .where('state', '<>', 'gone')
      .where('renewed_at', '<', sql<number>`${nowOf(kind)} - ${sql.lit(ttlMs)}`)
      .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
      .executeTakeFirst();
    if (!node) return false;
    await buryLocked(connection, trx, { ...node, bootId }, 'lease', headStartMs);
    return true;
  });
}
