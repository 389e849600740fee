/**
 * How many deliveries may wait. Nothing else ends them soon: a receiver that is silent is tried for two days, and callers make
 * events as fast as they like. What there is no room for is not written; its webhook, or its job, says so.
 */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../databases/databases.ts';
import type { DeliveryRoom } from '../records.ts';

const usualRoom: DeliveryRoom = { always: 100, ofWebhook: 2000, ofProject: 10_000 };

/** No further than it matters: more than the limit is as good as the limit. */
function waitingUpTo(db: Kysely<Database>, column: 'webhook_id' | 'project_id', id: string, most: number) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('deliveries')
        .select(sql.lit(1).as('one'))
        .where(column, '=', id)
        .where('state', '=', sql.lit('pending'))
        .limit(most)
        .as('waiting'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'));
}

/** How many more may be written. Two nodes that count at the same moment may exceed it by what each of them writes. */
export async function roomFor(
  db: Kysely<Database>,
  { webhookId, projectId }: { webhookId: string; projectId: string },
  { always, ofWebhook, ofProject }: DeliveryRoom = usualRoom,
): Promise<number> {
  const { own, all } = await db
    .selectNoFrom([
      waitingUpTo(db, 'webhook_id', webhookId, ofWebhook).as('own'),
      waitingUpTo(db, 'project_id', projectId, ofProject).as('all'),
    ])
    .executeTakeFirstOrThrow();
  const [ownLeft, allLeft] = [ofWebhook - Number(own), ofProject - Number(all)];
  return Math.max(0, always - Number(own), Math.min(ownLeft, allLeft));
}

/** For the message of one job, which has no webhook beside it that could need a place: only the project's count. */
export async function hasRoom(db: Kysely<Database>, projectId: string): Promise<boolean> {
  const { ofProject } = usualRoom;
  const { count } = await waitingUpTo(db, 'project_id', projectId, ofProject).executeTakeFirstOrThrow();
  return Number(count) < ofProject;
}
