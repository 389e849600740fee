/**
 * The end of a boot, for those that outlive it: it is gone, and nothing is held by it any more.
 *
 *   claim, create, resume    own node's row FOR KEY SHARE ──> holder = me
 *   burial                   that row FOR UPDATE ──> gone ──> holder = null, epoch + 1
 *
 * One waits for the other, in either order, so no browser is ever held by a boot that is gone. A heartbeat waits for neither
 * claims nor creates: KEY SHARE lets the row be updated.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import {
  announceHomeless,
  type Database,
  type Kind,
  nowOf,
  type SealedConnection,
} from '../databases/databases.ts';
import type { BrowserRecord, BurialCause, NewEvent } from '../records.ts';
import { type BrowserRow, browserRows } from './browser-row.ts';
import { appendEvents } from './events.ts';

const reasons: Record<BurialCause, string> = {
  restart: 'the service was restarted',
  crash: 'the service on its machine ended unexpectedly',
  lease: 'its machine was lost',
  drain: 'its machine is being replaced',
};

/** Whether the node of this boot may be back in a moment. */
const mayReturn = (cause: BurialCause): boolean => cause === 'restart' || cause === 'crash';

/** Locks the row of a boot that is not gone yet; undefined when there is none. */
export async function lockedForBurial(
  trx: Kysely<Database>,
  kind: Kind,
  bootId: string,
): Promise<{ id: string } | undefined> {
  return await trx
    .selectFrom('nodes')
    .select('id')
    .where('boot_id', '=', bootId)
    .where('state', '<>', 'gone')
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Keeps a boot from being buried until the transaction ends. False when it may not take browsers (any more). */
export async function standsUp(trx: Kysely<Database>, kind: Kind, bootId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('nodes')
    .select('id')
    .where('boot_id', '=', bootId)
    .where('state', '=', 'up')
    .$if(kind === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst();
  return row !== undefined;
}

/** The last statements of a transaction that has the row of the boot locked. Returns the browsers that it held. */
export async function buryLocked(
  { kind, sealing }: SealedConnection,
  trx: Transaction<Database>,
  dead: { id: string; bootId: string },
  cause: BurialCause,
  headStartMs: number,
): Promise<BrowserRecord[]> {
  const now = nowOf(kind);
  await trx
    .updateTable('nodes')
    .set({ state: 'gone', gone_at: now, heartbeat_at: 0 })
    .where('boot_id', '=', dead.bootId)
    .execute();
  await trx
    .updateTable('deliveries')
    .set({ claimed_by: null, next_at: now })
    .where('claimed_by', '=', dead.id)
    .where('state', '=', 'pending')
    .execute();
  const died = cause === 'drain' ? 0 : 1;
  const waiting = {
    holder: null,
    queued_at: sql<number>`${now} - ${sql.lit(mayReturn(cause) ? 0 : Math.round(headStartMs))}`,
  };
  const ready = await trx
    .updateTable('browsers')
    .set((eb) => ({
      ...waiting,
      epoch: eb('epoch', '+', 1),
      status: 'recovering',
      status_reason: reasons[cause],
      service_deaths: eb('service_deaths', '+', died),
    }))
    .where('holder', '=', dead.bootId)
    .where('status', '=', 'ready')
    .returningAll()
    .execute();
  const underWay = await trx
    .updateTable('browsers')
    .set((eb) => ({
      ...waiting,
      epoch: eb('epoch', '+', 1),
      service_deaths: sql<number>`service_deaths + case status when 'recovering' then ${sql.lit(died)} else 0 end`,
    }))
    .where('holder', '=', dead.bootId)
    .returningAll()
    .execute();
  await followStatus(
    trx,
    ready.map(({ id }) => id),
  );
  await appendEvents(trx, kind, ready.map(toldOf(cause)));
  if (ready.length + underWay.length > 0) await announceHomeless(trx, kind);
  return [...ready, ...underWay].map(browserRows(sealing).toRecord);
}

/** What the index of the metadata repeats of a browser must follow it. */
async function followStatus(trx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('browser_metadata')
    .set({ status: 'recovering' })
    .where('browser_id', 'in', ids)
    .execute();
}

const toldOf =
  (cause: BurialCause) =>
  ({ id, project_id, epoch }: BrowserRow): NewEvent => ({
    projectId: project_id,
    browserId: id,
    type: 'browser.recovering',
    at: Date.now(),
    data: { reason: reasons[cause], epoch },
  });
