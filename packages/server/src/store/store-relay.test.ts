import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { openStore } from './store.ts';

interface Relay {
  url: string;
  /** The names of what connections asked for in their first message. */
  asked: Set<string>;
  /** From now on nothing passes, and nothing is closed: as when the machine of the database stands still. */
  holdStill(): void;
  /** What was sent meanwhile is lost. */
  goOn(): void;
  cut(): void;
}

/** In front of a real PostgreSQL, over TCP. */
async function relayTo(url: string): Promise<Relay> {
  const { pathname, username, searchParams } = new URL(url);
  const path = `${searchParams.get('host')}/.s.PGSQL.5432`;
  const asked = new Set<string>();
  const open = new Set<Socket>();
  let still = false;
  const server = createServer((client) => {
    const upstream = connect(path);
    for (const socket of [client, upstream]) open.add(socket.on('error', () => undefined));
    client.once('data', (first: Buffer) => {
      // Length and version of the protocol, then names and values, each ended by a zero.
      const words = first.subarray(8).toString().split('\0');
      for (let at = 0; at + 1 < words.length && words[at]; at += 2) asked.add(words[at] as string);
    });
    client.on('data', (chunk) => still || upstream.write(chunk));
    upstream.on('data', (chunk) => still || client.write(chunk));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    asked,
    holdStill: () => {
      still = true;
    },
    goOn: () => {
      still = false;
    },
    cut,
  };
}

async function relayed() {
  const { url, folder } = await freshDatabase('postgres');
  const relay = await relayTo(url);
  const store = await openStore({ databaseUrl: relay.url, dataDir: folder });
  onTestFinished(() => store.close());
  return { relay, store };
}

test('a connection asks PostgreSQL for nothing in its first message that PgBouncer refuses', async () => {
  const { relay, store } = await relayed();
  await store.ping();
  expect([...relay.asked].sort()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
});

test('what every call waits for gives up long before other statements when the database stands still', async () => {
  const { relay, store } = await relayed();
  relay.holdStill();
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const patient = store.nodes.list().finally(note('list'));
  const soon = [
    expect(store.ping().finally(note('ping'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' }),
    expect(store.keys.findByHash('x').finally(note('key'))).rejects.toThrow('took too long'),
    expect(store.browsers.get('browser_x', 'y').finally(note('browser'))).rejects.toThrow('took too long'),
  ];
  await Promise.all(soon);
  expect(ended.toSorted()).toEqual(['browser', 'key', 'ping']);
  relay.cut();
  await expect(patient).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('a renewal of the lease gives up in its time when the database stands still, and the next has a fresh connection', async () => {
  const { relay, store } = await relayed();
  const node = { id: 'node_1', bootId: 'a', startedAt: 1, heartbeatAt: 1, address: 'a:1' };
  await store.nodes.join(node, { ttlMs: 60_000, ownBefore: undefined });
  const renew = (timeoutMs: number) => store.nodes.renew({ bootId: 'a' }, { timeoutMs });
  const first = await renew(10_000);
  relay.holdStill();
  for (let n = 0; n < 2; n++) await expect(renew(100)).rejects.toThrow('no answer within 100 ms');
  relay.goOn();
  const next = await renew(10_000);
  expect(next?.at).toBeGreaterThan(first?.at ?? Number.POSITIVE_INFINITY);
  relay.cut();
  await expect.poll(() => renew(10_000).catch(() => undefined)).toMatchObject({ at: expect.any(Number) });
});
