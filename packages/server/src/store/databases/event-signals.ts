/**
 * Signals about new events, without polling the database:
 *
 *   a commit with events ──> every listener of this store, at once
 *                       └──pg_notify, at most ten times a second──> the other processes that listen
 *
 * A notification inside of the transaction would make all commits of the database wait for each other, and wake every
 * listener once an event. It is a hint, so one for many commits is enough, and one that is lost costs a moment.
 */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Client } from 'pg';
import type { Store } from '../records.ts';
import type { Database } from './database.ts';
import { pg } from './pg.ts';
import type { StoreLog } from './postgres.ts';

export interface EventSignals {
  watch: Store['events']['watch'];
  tellOthers: Store['events']['tellOthers'];
  /** After the commit. */
  announce(projectIds: ReadonlySet<string>): void;
  close(): Promise<void>;
}

type Heard = (projectId?: string) => void;

const channel = 'browserd_events';
const reconnectMs = 1000;
const hintEveryMs = 100;
/** A payload has less than 8,000 bytes. A hint without projects says that any may have news. */
const projectsInHint = 100;

/** Stores of one process that have the same SQLite file hear each other. */
const heardHere = new Set<Heard>();

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
    tellOthers: () => undefined,
    announce(projectIds) {
      for (const projectId of projectIds) for (const heard of heardHere) heard(projectId);
    },
    async close() {
      for (const heard of mine) heardHere.delete(heard);
    },
  };
}

export function postgresSignals(url: string, db: Kysely<Database>, log: StoreLog): EventSignals {
  const listeners = new Set<Heard>();
  const tell = (projectId?: string): void => {
    for (const heard of listeners) heard(projectId);
  };
  const self = randomBytes(6).toString('base64url');
  const hints = sendHints(db, self);
  const listening = listen(url, log, (hint) => {
    const [sender, ...projectIds] = hint?.split(' ') ?? [];
    if (sender === self) return;
    if (projectIds.length === 0) tell();
    else for (const projectId of projectIds) tell(projectId);
  });
  return {
    watch(heard) {
      listeners.add(heard);
      listening.begin();
      return () => listeners.delete(heard);
    },
    tellOthers: hints.only,
    announce(projectIds) {
      for (const projectId of projectIds) tell(projectId);
      hints.add(projectIds);
    },
    async close() {
      await Promise.all([hints.close(), listening.close()]);
    },
  };
}

function sendHints(db: Kysely<Database>, self: string) {
  const waiting = new Set<string>();
  let wanted = (): boolean => true;
  let timer: NodeJS.Timeout | undefined;
  let sent: Promise<void> = Promise.resolve();
  const send = (): void => {
    const projects = waiting.size > projectsInHint ? [] : [...waiting];
    waiting.clear();
    const payload = [self, ...projects].join(' ');
    const query = sql`select pg_notify(${sql.lit(channel)}, ${payload})`.execute(db);
    // Lost with a database that is away: who follows looks now and then in any case.
    sent = query.then(
      () => undefined,
      () => undefined,
    );
  };
  const later = (): void => {
    timer = undefined;
    if (waiting.size > 0) begin();
  };
  const begin = (): void => {
    send();
    timer = setTimeout(later, hintEveryMs).unref();
  };
  return {
    only(isWanted: () => boolean): void {
      wanted = isWanted;
    },
    add(projectIds: ReadonlySet<string>): void {
      if (!wanted()) return;
      for (const projectId of projectIds) waiting.add(projectId);
      if (timer === undefined) begin();
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      if (waiting.size > 0) send();
      await sent;
    },
  };
}

/** A connection of its own, opened for the first listener and again whenever it breaks. */
function listen(url: string, log: StoreLog, heard: (hint?: string) => void) {
  let client: Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let closed = false;
  const lost = (from: Client, error?: Error): void => {
    if (client !== from) return;
    client = undefined;
    void from.end().catch(() => undefined);
    if (closed) return;
    log('store.news_lost', { reason: error?.message ?? 'the connection ended' });
    again = setTimeout(connect, reconnectMs).unref();
  };
  const connect = (): void => {
    again = undefined;
    if (closed) return;
    const mine = new (pg().Client)({
      connectionString: url,
      application_name: 'browserd news',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client = mine;
    mine.on('notification', ({ payload }) => heard(payload));
    mine.on('error', (error) => lost(mine, error));
    mine.on('end', () => lost(mine));
    mine
      .connect()
      .then(() => mine.query(`listen ${channel}`))
      // Listeners look for what was committed while the connection was away.
      .then(() => heard())
      .catch((error: Error) => lost(mine, error));
  };
  return {
    begin(): void {
      if (client === undefined && again === undefined) connect();
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(again);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
