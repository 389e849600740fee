/** Chores that one node does for all: the node that moves the time of the row on has the turn. */
import { sql } from 'kysely';
import { type Connection, nowOf } from '../databases/databases.ts';
import type { Store } from '../records.ts';

export function turns({ kind, db }: Connection): Store['turns'] {
  return {
    async take(name, periodMs, gapMs = periodMs * 10) {
      const now = nowOf(kind);
      const { rows } = await sql<{ calmSince: number; now: number }>`
        insert into turns (name, at, calm_since) values (${name}, ${now}, ${now})
        on conflict (name) do update set
          at = excluded.at,
          calm_since = case when excluded.at - turns.at > ${Math.round(gapMs)} then excluded.at else turns.calm_since end
        where turns.at <= excluded.at - ${Math.round(periodMs)}
        returning calm_since as ${sql.id('calmSince')}, at as now`.execute(db);
      return rows[0];
    },
  };
}
