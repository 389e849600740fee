/** Counts what this process sends to PostgreSQL, from all of its nodes and connections. */
import pg from 'pg';

export function countStatements(): () => number {
  let count = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    count++;
    return Reflect.apply(query, this, args);
  } as typeof query;
  return () => count;
}
