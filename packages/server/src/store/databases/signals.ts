/**
 * Signals about new events, and about browsers that wait for a holder, without polling the database:
 *
 *   a commit with events ──> every listener of this store, at once
 *                       └──pg_notify, at most ten times a second──> the other processes that listen
 *   a browser without a holder ──pg_notify, with the commit──> every process that listens
 *
 * A notification in the transaction of each event would make all commits of the database wait for each other. It is a hint,
 * so one for many commits is enough, and one that is lost costs a moment.
 */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Store } from '../records.ts';
import type { Database } from './database.ts';
import { listen } from './listen.ts';
import type { StoreLog } from './postgres.ts';

export interface Signals {
  watch: Store['events']['watch'];
  watchHomeless: Store['placement']['watch'];
  tellOthers: Store['events']['tellOthers'];
  /** After the commit. */
  announce(projectIds: ReadonlySet<string>): void;
  close(): Promise<void>;
}

type Heard = (projectId?: string) => void;

const events = 'browserd_events';
const homeless = 'browserd_homeless';
const hintEveryMs = 100;
/** A payload has less than 8,000 bytes. A hint without projects says that any may have news. */
const projectsInHint = 100;

/** Stores of one process that have the same SQLite file hear each other. */
const heardHere = new Set<Heard>();

/** Part of the transaction that left browsers without a holder. */
export async function announceHomeless(trx: Kysely<Database>, kind: Store['kind']): Promise<void> {
  if (kind === 'postgres') await sql`select pg_notify(${homeless}, '')`.execute(trx);
}

export function localSignals(): Signals {
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
    // One node uses the file, which holds all its browsers.
    watchHomeless: () => () => undefined,
    tellOthers: () => undefined,
    announce(projectIds) {
      for (const projectId of projectIds) for (const heard of heardHere) heard(projectId);
    },
    async close() {
      for (const heard of mine) heardHere.delete(heard);
    },
  };
}

export function postgresSignals(url: string, db: Kysely<Database>, log: StoreLog): Signals {
  const listeners = new Set<Heard>();
  const claimers = new Set<() => void>();
  const tell = (projectId?: string): void => {
    for (const heard of listeners) heard(projectId);
  };
  const self = randomBytes(6).toString('base64url');
  const hints = sendHints(db, self);
  const onHint = (hint = ''): void => {
    const [sender, ...projectIds] = hint.split(' ');
    if (sender === self) return;
    if (projectIds.length === 0) tell();
    else for (const projectId of projectIds) tell(projectId);
  };
  const onHomeless = (): void => {
    for (const heard of claimers) heard();
  };
  const listening = listen(url, log, { [events]: onHint, [homeless]: onHomeless });
  return {
    watch(heard) {
      listeners.add(heard);
      listening.begin();
      return () => listeners.delete(heard);
    },
    watchHomeless(heard) {
      claimers.add(heard);
      listening.begin();
      return () => void claimers.delete(heard);
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
    const query = sql`select pg_notify(${sql.lit(events)}, ${payload})`.execute(db);
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
