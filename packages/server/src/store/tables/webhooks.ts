/** Webhooks and their place in the events of their project. */
import { type Kysely, sql } from 'kysely';
import { aboutOf, type Database, type SealedConnection, sealText } from '../databases/databases.ts';
import type { Store } from '../records.ts';
import { insertDeliveries } from './deliveries.ts';
import { roomFor } from './delivery-room.ts';
import { eventShape, lastSeq } from './events.ts';
import { noteResource } from './idempotency.ts';
import { openWebhook, sealWebhook, webhookShape } from './webhook-row.ts';

export function webhooks({ kind, db, sealing }: SealedConnection): Store['webhooks'] {
  return {
    insert: (record, idempotency) =>
      db.transaction().execute(async (trx) => {
        const placed = { ...record, place: await lastSeq(trx, record.projectId) };
        await trx.insertInto('webhooks').values(sealWebhook(sealing, placed)).execute();
        if (idempotency !== undefined)
          await noteResource(trx, { projectId: record.projectId, ...idempotency }, record.id);
        return placed;
      }),

    async get(id, projectId) {
      let query = db.selectFrom('webhooks').selectAll().where('id', '=', id);
      if (projectId !== undefined)
        query = query.where('project_id', '=', projectId).where('job_id', 'is', null);
      const row = await query.executeTakeFirst();
      return row && openWebhook(sealing, row);
    },

    async count(projectId) {
      const { count } = await db
        .selectFrom('webhooks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .where('job_id', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async list({ projectId, after, limit }) {
      let query = db
        .selectFrom('webhooks')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('job_id', 'is', null);
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map((row) => openWebhook(sealing, row));
    },

    change: (id, projectId, changes, { fromNow = false } = {}) =>
      db.transaction().execute(async (trx) => {
        const place = fromNow ? await lastSeq(trx, projectId) : undefined;
        const secret =
          changes.secret === undefined ? undefined : sealText(sealing, changes.secret, aboutOf.webhook(id));
        const row = await trx
          .updateTable('webhooks')
          .set((eb) => ({ id: eb.ref('id'), ...webhookShape.toPatch({ ...changes, secret, place }) }))
          .where('id', '=', id)
          .where('project_id', '=', projectId)
          .returningAll()
          .executeTakeFirst();
        return row && openWebhook(sealing, row);
      }),

    async remove(id, projectId) {
      const removed = await db
        .deleteFrom('webhooks')
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .where('job_id', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return removed !== undefined;
    },

    advance: (projectId, plan, eventsAtOnce, room) =>
      db.transaction().execute(async (trx) => {
        const row = await behind(trx)
          .selectAll()
          .where('project_id', '=', projectId)
          .orderBy('place')
          .limit(1)
          .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const webhook = openWebhook(sealing, row);
        const events = await trx
          .selectFrom('events')
          .selectAll()
          .where('project_id', '=', projectId)
          .where('seq', '>', webhook.place)
          .orderBy('seq')
          .limit(eventsAtOnce)
          .execute();
        const planned = events.flatMap((event) => plan(webhook, eventShape.toRecord(event)) ?? []);
        const webhookId = webhook.id;
        const taken =
          planned.length === 0
            ? planned
            : planned.slice(0, await roomFor(trx, { webhookId, projectId }, room));
        await insertDeliveries(trx, taken);
        const dropped = planned.length - taken.length;
        await trx
          .updateTable('webhooks')
          .set({
            place: events.at(-1)?.seq ?? webhook.place,
            ...(dropped > 0 && { dropped: webhook.dropped + dropped, dropped_at: Date.now() }),
          })
          .where('id', '=', webhookId)
          .execute();
        return { webhookId, dropped };
      }),

    async projectsWaiting(now) {
      await adopt(db);
      const rows = await behind(db)
        .select('project_id as id')
        .union((eb) =>
          eb
            .selectFrom('projects')
            .select('id')
            .where((is) =>
              is.exists(
                is
                  .selectFrom('deliveries')
                  .select(sql.lit(1).as('one'))
                  .whereRef('deliveries.project_id', '=', 'projects.id')
                  .where('state', '=', sql.lit('pending'))
                  .where('next_at', '<=', now),
              ),
            ),
        )
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

/** Those that have events before them. */
const behind = (db: Kysely<Database>) =>
  db
    .selectFrom('webhooks')
    .where('job_id', 'is', null)
    .where('disabled_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('events')
          .select(sql.lit(1).as('one'))
          .whereRef('events.project_id', '=', 'webhooks.project_id')
          .whereRef('events.seq', '>', 'webhooks.place'),
      ),
    );

/** A node of the version before has written these, which does not know the column. */
const adopt = (db: Kysely<Database>) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      project_id: eb
        .selectFrom('webhooks')
        .select('project_id')
        .whereRef('webhooks.id', '=', 'deliveries.webhook_id'),
    }))
    .where('project_id', 'is', null)
    .execute();
