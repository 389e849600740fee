/**
 * A connection for renewals of the lease only, so that none waits behind other work. One that does not answer in time is given
 * up with its connection: nothing that is sent behind it would be answered either.
 */
import type { CompiledQuery } from 'kysely';
import type { Client } from 'pg';
import { pg } from './pg.ts';

export interface LeaseConnection {
  /** Fails when the first row, or that there is none, is not known in time. */
  first<Row>(query: CompiledQuery<Row>, timeoutMs: number): Promise<Row | undefined>;
  close(): Promise<void>;
}

const closeMs = 1000;

export function leaseConnection(url: string): LeaseConnection {
  let connecting: Promise<Client> | undefined;
  let current: Client | undefined;

  const drop = (client: Client | undefined): void => {
    if (current !== client) return;
    connecting = undefined;
    current = undefined;
    client?.connection.stream.destroy();
  };

  const connect = async (client: Client): Promise<Client> => {
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    await client.connect();
    return client;
  };

  const connected = (): Promise<Client> => {
    if (connecting) return connecting;
    const client = new (pg().Client)({
      connectionString: url,
      application_name: 'browserd lease',
      keepAlive: true,
    });
    current = client;
    connecting = connect(client);
    return connecting;
  };

  return {
    async first<Row>({ sql: text, parameters }: CompiledQuery<Row>, timeoutMs: number) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new Error(`query read timeout: no answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      const answer = async (): Promise<Row | undefined> => {
        const client = await connected();
        const { rows } = await client.query(text, [...parameters]);
        return rows[0];
      };
      const answered = answer();
      // When it comes too late it is no failure of its own.
      answered.catch(() => undefined);
      try {
        return await Promise.race([answered, late.promise]);
      } catch (error) {
        drop(current);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },

    async close() {
      const last = current;
      connecting = undefined;
      current = undefined;
      // A database that is away does not close its side.
      const patience = setTimeout(() => last?.connection.stream.destroy(), closeMs);
      await last?.end().catch(() => undefined);
      clearTimeout(patience);
    },
  };
}
