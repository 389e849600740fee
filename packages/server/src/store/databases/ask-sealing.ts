/** Which keys have sealed something in a database, without making or changing anything in it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { openPostgres } from './postgres.ts';

const isKey = (id: string): boolean => id.startsWith('k_');

/** None where there is no database yet, or one from before anything was sealed. */
export async function askSealingKeys(url: string): Promise<string[]> {
  if (url.startsWith('sqlite:')) return askSqlite(url.slice('sqlite:'.length));
  const { db } = openPostgres(url, () => undefined);
  try {
    const there = await sql<{
      name: string | null;
    }>`select to_regclass('sealing_keys')::text as name`.execute(db);
    if (!there.rows[0]?.name) return [];
    const { rows } = await sql<{ id: string }>`select id from sealing_keys`.execute(db);
    return rows.map(({ id }) => id).filter(isKey);
  } finally {
    await db.destroy();
  }
}

function askSqlite(path: string): string[] {
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const there = database.prepare("select 1 from sqlite_master where name = 'sealing_keys'").get();
    if (!there) return [];
    const rows = database.prepare('select id from sealing_keys').all();
    return rows.map(({ id }) => String(id)).filter(isKey);
  } finally {
    database.close();
  }
}
