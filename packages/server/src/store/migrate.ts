/**
 * Brings the database to this version of the service. Safe when several processes start at once: on
 * PostgreSQL an advisory lock, on SQLite the write lock lets one work and the others find it done.
 * Returns the migrations that were run here.
 *
 * Nodes of a cluster are upgraded one by one, so a database may be ahead of the code: a release only adds what the one before
 * can ignore, and the table `schema_floor` says which code is too old.
 */
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { attempt, type Connection, type Database } from './databases/databases.ts';
import { migrations } from './migrations/migrations.ts';

export async function migrate(
  { kind, db }: Connection,
  all: Record<string, Migration> = migrations(kind),
): Promise<string[]> {
  return await attempt(async () => {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
    const { error, results } = await migrator.migrateToLatest();
    const ahead = error === undefined ? undefined : unknownIn(error);
    if (ahead !== undefined && (await isRecentEnough(db, Object.keys(all)))) return [];
    if (error !== undefined) throw ahead === undefined ? error : tooOld(ahead, error);
    return (results ?? []).map(({ migrationName }) => migrationName);
  });
}

/** The migration in the database that the code does not know. */
const unknownIn = (error: unknown): string | undefined =>
  /previously executed migration (\S+) is missing/.exec(String(error))?.[1];

/** Whether this code, which knows these migrations, may work on tables that a newer one has made. */
async function isRecentEnough(db: Kysely<Database>, known: readonly string[]): Promise<boolean> {
  const newest = [...known].sort().at(-1) ?? '';
  const floor = await db.selectFrom('schema_floor').select('oldest').executeTakeFirst();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return floor !== undefined && floor.oldest <= newest && known.every((name) => done.has(name));
}

const tooOld = (unknown: string, cause: unknown): Error =>
  new Error(
    `The database was made by a newer version of browserd: it has the migration ${unknown}, which this version ` +
      'does not know. Start that version again, or set BROWSERD_DATABASE_URL to another database.',
    { cause },
  );
