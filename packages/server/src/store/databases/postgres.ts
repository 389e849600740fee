/** Kysely on pg, with limits on how long a statement may take. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Connection, Database } from './database.ts';
import { pg } from './pg.ts';

export type StoreLog = (word: string, fields: object) => void;

type Driver = ReturnType<typeof pg>;

const int8 = 20;
const statementLimit = "set statement_timeout = '10s'";
const idleLimit = "set idle_in_transaction_session_timeout = '20s'";

/** Times and counts are below 2^53. On this pool only: other users of the driver may want their bigints. */
const numbersFromInt8 = ({ getTypeParser }: Driver['types']) => ({
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? Number : getTypeParser(oid, format)) as typeof getTypeParser,
});

export function openPostgres(url: string, log: StoreLog, options: { patient?: boolean } = {}): Connection {
  const { Pool, types } = pg();
  const pool = new Pool({
    connectionString: url,
    application_name: 'browserd',
    types: numbersFromInt8(types),
    max: 10,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A migration may take long, or wait long for another process that runs the same one.
    ...(options.patient ? {} : { query_timeout: 20_000 }),
    // Said once connected: PgBouncer refuses a connection that asks for them in its first message.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
    onConnect: async (client) => {
      const limits = options.patient ? idleLimit : `${statementLimit}; ${idleLimit}`;
      await client.query(limits);
    },
  });
  const lost = (error: Error): void => log('store.connection_lost', { reason: error.message });
  // Without listeners, a connection that breaks while idle would end the process. An idle connection reports to the
  // pool, a connection in use only to itself.
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { kind: 'postgres', db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }) };
}
