/** Whether the configured database answers. */
import type { Config } from '../../config.ts';
import { askPostgres, databaseName } from '../../store/store.ts';
import { type Finding, fail, messageOf, ok, warn } from './finding.ts';

const toleratedSkewMs = 5000;

/** Asks the server and changes nothing in it. SQLite needs no more than the folder it lies in. */
export async function checkDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Finding> {
  if (!databaseUrl?.startsWith('postgres')) return ok('database', databaseUrl ?? 'SQLite in the data folder');
  const name = databaseName(databaseUrl);
  try {
    const { version, clock } = await askPostgres(databaseUrl);
    const skew = Math.round((clock - Date.now()) / 1000);
    if (Math.abs(skew) * 1000 <= toleratedSkewMs) return ok('database', `PostgreSQL ${version} at ${name}`);
    const detail = `the clock of PostgreSQL at ${name} differs by ${skew} s`;
    return warn('database', detail, 'Let the clocks of both machines be kept right (NTP).');
  } catch (error) {
    return fail(
      'database',
      `${name}: ${messageOf(error)}`,
      'Check BROWSERD_DATABASE_URL, and that the server runs.',
    );
  }
}
