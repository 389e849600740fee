/**
 * A transaction that knows which events were appended in it, so that they are counted once they are really there: not
 * those of one that was rolled back, or tried again.
 */
import type { Kysely, Transaction } from 'kysely';
import type { NewEvent } from '../records.ts';
import type { Connection, Database } from './database.ts';

const appendedIn = new WeakMap<Kysely<Database>, NewEvent[]>();

export function noteAppended(trx: Kysely<Database>, events: readonly NewEvent[]): void {
  const appended = appendedIn.get(trx);
  if (!appended) throw new Error('events are appended in a transaction of `inTransaction`');
  appended.push(...events);
}

export async function inTransaction<T>(
  { db, onEvents }: Connection,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const appended: NewEvent[] = [];
  const result = await db.transaction().execute((trx) => {
    appendedIn.set(trx, appended);
    return work(trx);
  });
  if (appended.length > 0) onEvents?.(appended);
  return result;
}
