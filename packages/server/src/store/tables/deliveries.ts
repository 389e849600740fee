/**
 * What is on its way to webhooks. `next_at` of a claimed delivery is the end of its claim, so that what a dead node had
 * claimed comes up again by itself.
 */
import { type Kysely, sql } from 'kysely';
import { type Database, rowShape, type SealedConnection } from '../databases/databases.ts';
import type { DeliveryRecord, Store } from '../records.ts';
import { openWebhook } from './webhook-row.ts';

const shape = rowShape<DeliveryRecord, 'attempts'>('attempts');
const shownShape = rowShape<Omit<DeliveryRecord, 'body'>, 'attempts'>('attempts');

/** All but the body, which may be large, and is in no list. */
const shownColumns = [
  ...(['id', 'webhook_id', 'message_id', 'event_type', 'state', 'tries', 'attempts'] as const),
  ...(['created_at', 'next_at', 'claimed_by'] as const),
] as const;

/** A statement takes at most 32,766 values on SQLite; a delivery has eleven. */
const rowsAtOnce = 500;

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
    insert: (delivery) => insertDeliveries(db, [delivery]),

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

    async due(now) {
      const rows = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('disabled_at', 'is', null)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('deliveries')
              .select(sql.lit(1).as('one'))
              .whereRef('deliveries.webhook_id', '=', 'webhooks.id')
              .where('state', '=', 'pending')
              .where('next_at', '<=', now),
          ),
        )
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
  };
}
