/** Whether a PostgreSQL answers, without making or changing anything in it: its version, and the time it has. */
import { sql } from 'kysely';
import { attempt } from './attempt.ts';
import { openPostgres } from './postgres.ts';

export async function askPostgres(url: string): Promise<{ version: string; clock: number }> {
  const { db } = openPostgres(url, () => undefined);
  try {
    return await attempt(async () => {
      const { rows } = await sql<{ version: string; now: Date }>`
        select current_setting('server_version') as version, clock_timestamp() as now`.execute(db);
      const [row] = rows;
      return { version: row?.version ?? '', clock: row?.now.getTime() ?? 0 };
    });
  } finally {
    await db.destroy();
  }
}
