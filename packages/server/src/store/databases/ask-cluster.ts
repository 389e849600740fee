/** Which nodes a database knows, and the secret by which they know each other, without making or changing anything in it. */
import { sql } from 'kysely';
import type { Sealing } from '../../sealing/sealing.ts';
import { openPostgres } from './postgres.ts';
import { aboutOf, openText } from './sealed.ts';

export interface KnownNode {
  id: string;
  address: string;
  version: string | null;
  /** Since its last sign of life, by the clock of the database. */
  silentMs: number;
}

export interface KnownCluster {
  /** Those that are not gone, and have an address. */
  nodes: KnownNode[];
  /** In hex; undefined before the first node of a cluster has started. */
  secret?: string;
}

/** Undefined where no service has used the database yet, or none of a version that knows of several nodes. */
export async function askCluster(url: string, sealing: Sealing): Promise<KnownCluster | undefined> {
  const { db } = openPostgres(url, () => undefined);
  try {
    const there = await sql`select 1 from information_schema.columns
      where table_schema = current_schema() and table_name = 'nodes' and column_name = 'renewed_at'`.execute(
      db,
    );
    if (there.rows.length === 0) return undefined;
    const { rows: nodes } = await sql<KnownNode>`select id, address, version,
      (extract(epoch from clock_timestamp()) * 1000)::bigint - renewed_at as "silentMs"
      from nodes where state <> 'gone' and address is not null order by started_at`.execute(db);
    const kept = await sql<{ value: string }>`select value from secrets where name = 'cluster'`.execute(db);
    const value = kept.rows[0]?.value;
    const secret =
      value === undefined ? undefined : openText(sealing, value, aboutOf.serviceSecret('cluster'));
    return { nodes, secret };
  } finally {
    await db.destroy();
  }
}
