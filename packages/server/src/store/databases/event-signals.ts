/**
 * Signals about new events, and about browsers that wait for a holder, without polling the database:
 *
 *   SQLite       appendEvents ──> every listener in this process. Its query waits for the one connection, so it comes
 *                after the commit. One node uses it, which holds all its browsers.
 *   PostgreSQL   appendEvents ──pg_notify──> at the commit, every process that listens
 */
import { type Kysely, sql } from 'kysely';
import type { Client } from 'pg';
import type { Store } from '../records.ts';
import type { Database } from './database.ts';
import { pg } from './pg.ts';
import type { StoreLog } from './postgres.ts';

export interface EventSignals {
  watch: Store['events']['watch'];
  watchHomeless: Store['placement']['watch'];
  close(): Promise<void>;
}

type Heard = (projectId?: string) => void;

const channel = 'browserd_events';
const homeless = 'browserd_homeless';
const reconnectMs = 1000;

const heardHere = new Set<Heard>();

/** Part of the transaction that appends. */
export async function announce(
  trx: Kysely<Database>,
  kind: Store['kind'],
  projectIds: readonly string[],
): Promise<void> {
  for (const projectId of projectIds) {
    if (kind === 'postgres') await sql`select pg_notify(${channel}, ${projectId})`.execute(trx);
    else for (const heard of heardHere) heard(projectId);
  }
}

/** Part of the transaction that left browsers without a holder. */
export async function announceHomeless(trx: Kysely<Database>, kind: Store['kind']): Promise<void> {
  if (kind === 'postgres') await sql`select pg_notify(${homeless}, '')`.execute(trx);
}

export function localSignals(): EventSignals {
  const mine = new Set<Heard>();
  return {
    watch(heard) {
      mine.add(heard);
      heardHere.add(heard);
      return () => {
        mine.delete(heard);
        heardHere.delete(heard);
      };
    },
    watchHomeless: () => () => undefined,
    async close() {
      for (const heard of mine) heardHere.delete(heard);
    },
  };
}

/** A connection of its own, opened for the first listener and again whenever it breaks. */
export function postgresSignals(url: string, log: StoreLog): EventSignals {
  const listeners = new Set<Heard>();
  const claimers = new Set<() => void>();
  let client: Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let closed = false;
  const tell = (projectId?: string): void => {
    for (const heard of listeners) heard(projectId);
  };
  const tellClaimers = (): void => {
    for (const heard of claimers) heard();
  };
  const lost = (from: Client, error?: Error): void => {
    if (client !== from) return;
    client = undefined;
    void from.end().catch(() => undefined);
    if (closed) return;
    log('store.news_lost', { reason: error?.message ?? 'the connection ended' });
    again = setTimeout(connect, reconnectMs).unref();
  };
  const connect = (): void => {
    if (closed) return;
    const mine = new (pg().Client)({
      connectionString: url,
      application_name: 'browserd news',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client = mine;
    mine.on('notification', ({ channel: about, payload }) =>
      about === homeless ? tellClaimers() : tell(payload),
    );
    mine.on('error', (error) => lost(mine, error));
    mine.on('end', () => lost(mine));
    mine
      .connect()
      .then(() => mine.query(`listen ${channel}; listen ${homeless}`))
      // Listeners look for what was committed while the connection was away.
      .then(() => {
        tell();
        tellClaimers();
      })
      .catch((error: Error) => lost(mine, error));
  };
  const connected = (): void => {
    if (client === undefined && again === undefined) connect();
  };
  return {
    watch(heard) {
      listeners.add(heard);
      connected();
      return () => listeners.delete(heard);
    },
    watchHomeless(heard) {
      claimers.add(heard);
      connected();
      return () => void claimers.delete(heard);
    },
    async close() {
      closed = true;
      clearTimeout(again);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
