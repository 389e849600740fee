/** Word from PostgreSQL, over a connection of its own: opened for the first listener and again whenever it breaks. */
import type { Client } from 'pg';
import { pg } from './pg.ts';
import type { StoreLog } from './postgres.ts';

const reconnectMs = 1000;

type Heard = (payload?: string) => void;

/** Each is told without a payload when its word may have been lost. */
export function listen(url: string, log: StoreLog, channels: Record<string, Heard>) {
  const names = Object.keys(channels);
  let client: Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let closed = false;
  const lost = (from: Client, error?: Error): void => {
    if (client !== from) return;
    client = undefined;
    void from.end().catch(() => undefined);
    if (closed) return;
    log('store.news_lost', { reason: error?.message ?? 'the connection ended' });
    again = setTimeout(connect, reconnectMs).unref();
  };
  const connect = (): void => {
    again = undefined;
    if (closed) return;
    const mine = new (pg().Client)({
      connectionString: url,
      application_name: 'browserd news',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client = mine;
    mine.on('notification', ({ channel, payload }) => channels[channel]?.(payload));
    mine.on('error', (error) => lost(mine, error));
    mine.on('end', () => lost(mine));
    mine
      .connect()
      .then(() => mine.query(names.map((name) => `listen ${name}`).join('; ')))
      // They look for what was committed while the connection was away.
      .then(() => {
        for (const heard of Object.values(channels)) heard();
      })
      .catch((error: Error) => lost(mine, error));
  };
  return {
    begin(): void {
      if (client === undefined && again === undefined) connect();
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(again);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
