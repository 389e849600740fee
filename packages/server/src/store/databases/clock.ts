/** The time by which leases, turns and the queue are judged: that of the database, which all nodes share. */
import { type RawBuilder, sql } from 'kysely';
import type { Kind } from './database.ts';

/** In milliseconds, and not that of the beginning of the transaction. SQLite is used by one machine, whose clock it is. */
export const nowOf = (kind: Kind): RawBuilder<number> =>
  kind === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${Date.now()} as integer)`;
