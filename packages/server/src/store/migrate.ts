/**
 * Brings the database to this version of the service. Safe when several processes start at once: on
 * PostgreSQL an advisory lock, on SQLite the write lock lets one work and the others find it done.
 * Returns the migrations that were run here.
 */
import { type Migration, Migrator } from 'kysely/migration';
import { attempt, type Connection } from './databases/databases.ts';
import { migrations } from './migrations/migrations.ts';

export async function migrate(
  { kind, db }: Connection,
  all: Record<string, Migration> = migrations(kind),
): Promise<string[]> {
  return await attempt(async () => {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw explained(error);
    return (results ?? []).map(({ migrationName }) => migrationName);
  });
}

function explained(error: unknown): unknown {
  const unknown = /previously executed migration (\S+) is missing/.exec(String(error))?.[1];
  if (unknown === undefined) return error;
  return new Error(
    `The database was made by a newer version of browserd: it has the migration ${unknown}, which this version ` +
      'does not know. Start that version again, or set BROWSERD_DATABASE_URL to another database.',
    { cause: error },
  );
}
