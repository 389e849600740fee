/**
 * What is on its way to webhooks. `next_at` of a claimed delivery is the end of its claim, so that what a dead node had
 * claimed comes up again by itself.
 */
import { type Kysely, sql } from 'kysely';
import { type Database, rowShape, type SealedConnection } from '../databases/databases.ts';
import type { DeliveryRecord, Store } from '../records.ts';
import { roomFor } from './delivery-room.ts';
import { openWebhook } from './webhook-row.ts';

const shape = rowShape<DeliveryRecord, 'attempts'>('attempts');
const shownShape = rowShape<Omit<DeliveryRecord, 'body'>, 'attempts'>('attempts');

/** All but the body, which may be large, and is in no list. */
const shownColumns = [
  ...(['id', 'webhook_id', 'project_id', 'message_id', 'event_type', 'state', 'tries', 'attempts'] as const),
  ...(['created_at', 'next_at', 'claimed_by'] as const),
] as const;

/** A statement takes at most 32,766 values on SQLite; a delivery has twelve. */
const rowsAtOnce = 500;

/** How many of those that are due a look goes through: the rest is found by the next one. */
const dueAtOnce = 1000;

export async function insertDeliveries(db: Kysely<Database>, records: DeliveryRecord[]): Promise<void> {
  const rows = records.map(shape.toRow);
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await db
      .insertInto('deliveries')
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
}

export function deliveries({ kind, db, sealing }: SealedConnection): Store['deliveries'] {
  const get: Store['deliveries']['get'] = async (id, webhookId) => {
    const row = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', id)
      .where('webhook_id', '=', webhookId)
      .executeTakeFirst();
    return row && shape.toRecord(row);
  };

  /** Two nodes that count at the same moment may have one too many: it is for the receiver's sake, not exact. */
  const atMost = (limit: number, mostClaimed: number, webhookId: string, now: number) => {
    const claimed = db
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('webhook_id', '=', webhookId)
      .where('claimed_by', 'is not', null)
      .where('state', '=', 'pending')
      .where('next_at', '>', now);
    const [least, most] = kind === 'postgres' ? ['least', 'greatest'] : ['min', 'max'];
    return sql<number>`${sql.raw(least)}(${limit}, ${sql.raw(most)}(0, ${mostClaimed} - (${claimed})))`;
  };

  return {
    async insert(delivery, room) {
      if ((await roomFor(db, delivery, room)) === 0) return false;
      await insertDeliveries(db, [delivery]);
      return true;
    },

    get,

    async list({ webhookId, state, after, limit }) {
      let query = db.selectFrom('deliveries').select(shownColumns).where('webhook_id', '=', webhookId);
      if (state !== undefined) query = query.where('state', '=', state);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(shownShape.toRecord);
    },

    async due(projectId, { now, limit, except }) {
      const disabled = db
        .selectFrom('webhooks')
        .select('id')
        .where('project_id', '=', projectId)
        .where('job_id', 'is', null)
        .where('disabled_at', 'is not', null);
      const some = db
        .selectFrom('deliveries')
        .select(['webhook_id', 'next_at'])
        .where('project_id', '=', projectId)
        .where('state', '=', sql.lit('pending'))
        .where('next_at', '<=', now)
        .where('webhook_id', 'not in', disabled)
        .$if(except.length > 0, (query) => query.where('webhook_id', 'not in', except))
        .orderBy('next_at')
        .limit(dueAtOnce)
        .as('some');
      const first = db
        .selectFrom(some)
        .select((eb) => ['webhook_id', eb.fn.min('next_at').as('first')])
        .groupBy('webhook_id')
        .as('first');
      const rows = await db
        .selectFrom('webhooks')
        .innerJoin(first, 'first.webhook_id', 'webhooks.id')
        .selectAll('webhooks')
        .orderBy('first.first')
        .limit(limit)
        .execute();
      return rows.map((row) => openWebhook(sealing, row));
    },

    async claim(webhookId, { nodeId, now, until, limit, mostClaimed }) {
      const rows = await db
        .updateTable('deliveries')
        .set({ claimed_by: nodeId, next_at: until })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('deliveries')
            .select('id')
            .where('webhook_id', '=', webhookId)
            .where('state', '=', 'pending')
            .where('next_at', '<=', now)
            .orderBy('next_at')
            .orderBy('id')
            .limit(mostClaimed === undefined ? limit : atMost(limit, mostClaimed, webhookId, now))
            .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .execute();
      return rows.map(shape.toRecord).sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    async settle(id, nodeId, outcome) {
      const settled = await db
        .updateTable('deliveries')
        .set({ ...shape.toPatch(outcome), claimed_by: null })
        .where('id', '=', id)
        .where('claimed_by', '=', nodeId)
        .returning('id')
        .executeTakeFirst();
      return settled !== undefined;
    },

    async release(nodeId, now) {
      await db
        .updateTable('deliveries')
        .set({ claimed_by: null, next_at: now })
        .where('claimed_by', '=', nodeId)
        .where('state', '=', 'pending')
        .execute();
    },

    async again(id, webhookId, now) {
      const row = await db
        .updateTable('deliveries')
        .set({ state: 'pending', tries: 0, next_at: now })
        .where('id', '=', id)
        .where('webhook_id', '=', webhookId)
        .where('claimed_by', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row ? shape.toRecord(row) : get(id, webhookId);
    },

    async trim(projectId, most) {
      const removed = await db
        .deleteFrom('deliveries')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('deliveries')
            .select('id')
            .where('project_id', '=', projectId)
            .where('state', '<>', sql.lit('pending'))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(rowsAtOnce)
            .offset(most),
        )
        .executeTakeFirst();
      return Number(removed.numDeletedRows) === rowsAtOnce;
    },
  };
}
