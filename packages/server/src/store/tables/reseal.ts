/**
 * Brings everything that is sealed, or was stored before anything was, to the key that seals now:
 *
 *   rows in the order of their keys, a few at a time ──> not of this key? ──> opened, sealed ──> compare-and-set
 *
 * A row that changed meanwhile was written by the service, which seals with the key of today; a row that does not open is
 * left as it is and fails the whole at its end, so that its key is not given up.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  aboutOf,
  attempt,
  openBytes,
  openLargeText,
  type SealedConnection,
  sealedBy,
  sealLargeText,
} from '../databases/databases.ts';
import { hasPlainSecrets, openSettings, sealedPartOf, sealSettings } from './browser-row.ts';

type Sealing = SealedConnection['sealing'];
type Stored = string | Uint8Array;
type Key = Record<string, string>;

interface Column {
  table: string;
  column: string;
  /** The primary key of the table. */
  key: readonly string[];
  /** Rows read at a time: few where they may be large. */
  atOnce: number;
  /** As it is to be stored; undefined when it is so already. */
  renew(sealing: Sealing, stored: Stored, key: Key): Promise<Stored | undefined>;
}

const text =
  (about: (key: Key) => string): Column['renew'] =>
  async (sealing, stored, key) => {
    if (typeof stored !== 'string' || sealedBy(stored) === sealing.keyId) return undefined;
    return sealLargeText(sealing, await openLargeText(sealing, stored, about(key)), about(key));
  };

const bytes =
  (about: (key: Key) => string): Column['renew'] =>
  async (sealing, stored, key) => {
    if (typeof stored === 'string' || sealedBy(stored) === sealing.keyId) return undefined;
    return sealing.sealLarge(await openBytes(sealing, stored, about(key)), about(key));
  };

const settings: Column['renew'] = async (sealing, stored, { id = '' }) => {
  const parsed = JSON.parse(String(stored));
  const part = sealedPartOf(parsed);
  const isCurrent = part === undefined || sealedBy(part) === sealing.keyId;
  if (isCurrent && !hasPlainSecrets(parsed)) return undefined;
  return JSON.stringify(sealSettings(sealing, id, openSettings(sealing, id, parsed)));
};

const columns: Column[] = [
  {
    table: 'secrets',
    column: 'value',
    key: ['name'],
    atOnce: 100,
    renew: text(({ name = '' }) => aboutOf.serviceSecret(name)),
  },
  {
    table: 'webhooks',
    column: 'secret',
    key: ['id'],
    atOnce: 100,
    renew: text(({ id = '' }) => aboutOf.webhook(id)),
  },
  {
    table: 'project_secrets',
    column: 'content',
    key: ['id'],
    atOnce: 100,
    renew: text(({ id = '' }) => aboutOf.projectSecret(id)),
  },
  { table: 'browsers', column: 'settings', key: ['id'], atOnce: 100, renew: settings },
  {
    table: 'checkpoints',
    column: 'data',
    key: ['browser_id'],
    atOnce: 10,
    renew: text(({ browser_id = '' }) => aboutOf.checkpoint(browser_id)),
  },
  {
    table: 'checkpoints',
    column: 'body',
    key: ['browser_id'],
    atOnce: 10,
    renew: bytes(({ browser_id = '' }) => aboutOf.checkpoint(browser_id)),
  },
  {
    table: 'local_storage',
    column: 'items',
    key: ['browser_id', 'origin'],
    atOnce: 4,
    renew: bytes(({ browser_id = '', origin = '' }) => aboutOf.localStorage(browser_id, origin)),
  },
  {
    table: 'jobs',
    column: 'request',
    key: ['id'],
    atOnce: 20,
    renew: text(({ id = '' }) => aboutOf.job(id)),
  },
  {
    table: 'job_pages',
    column: 'item',
    key: ['job_id', 'idx'],
    atOnce: 100,
    renew: text(({ job_id = '', idx = '' }) => aboutOf.jobItem(job_id, Number(idx))),
  },
  {
    table: 'idempotency',
    column: 'body',
    key: ['project_id', 'key'],
    atOnce: 20,
    renew: text(({ project_id = '', key = '' }) => aboutOf.answer(project_id, key)),
  },
];

interface Row extends Record<string, unknown> {
  value: Stored | null;
}

const keyOf = ({ key }: Column, row: Row): Key =>
  Object.fromEntries(key.map((name) => [name, String(row[name])]));

async function some(
  { db }: SealedConnection,
  { table, column, key, atOnce }: Column,
  after?: Key,
): Promise<Row[]> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const place = after && sql`where (${names}) > (${sql.join(key.map((name) => sql`${after[name]}`))})`;
  const { rows } = await sql<Row>`
    select ${names}, ${sql.ref(column)} as value from ${sql.table(table)} ${place ?? sql``}
    order by ${names} limit ${sql.lit(atOnce)}`.execute(db);
  return rows;
}

async function replace(
  { db }: SealedConnection,
  { table, column, key }: Column,
  row: Row,
  renewed: Stored,
): Promise<boolean> {
  const isRow = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  const { rows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
    where ${isRow} and ${sql.ref(column)} = ${row.value} returning 1 as one`.execute(db);
  return rows.length > 0;
}

export async function resealAll(
  connection: SealedConnection,
  signal?: AbortSignal,
): Promise<{ changed: number; finished: boolean }> {
  let changed = 0;
  let failure: unknown;
  await overwriteOld(connection, 'on');
  try {
    for (const column of columns) {
      for (let after: Key | undefined; ; ) {
        if (signal?.aborted) return { changed, finished: false };
        const rows = await attempt(() => some(connection, column, after));
        for (const row of rows) {
          if (row.value === null) continue;
          try {
            const renewed = await column.renew(connection.sealing, row.value, keyOf(column, row));
            if (renewed !== undefined && (await attempt(() => replace(connection, column, row, renewed))))
              changed++;
          } catch (error) {
            failure ??= error;
          }
        }
        if (rows.length < column.atOnce) break;
        after = keyOf(column, rows.at(-1) as Row);
        await othersTurn();
      }
    }
  } finally {
    await overwriteOld(connection, 'off');
  }
  if (failure !== undefined) throw failure;
  return { changed, finished: true };
}

/** SQLite leaves what it replaces in the file, unless it is told to write zeros over it; its log holds it a while longer. */
async function overwriteOld({ kind, db }: SealedConnection, state: 'on' | 'off'): Promise<void> {
  if (kind !== 'sqlite') return;
  await sql`pragma secure_delete = ${sql.raw(state)}`.execute(db);
  if (state === 'off') await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
