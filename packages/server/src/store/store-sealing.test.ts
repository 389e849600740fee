import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type DatabaseKind,
  databases,
  freshDatabase,
  type TestDatabase,
} from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import { openSealing } from '../sealing/sealing.ts';
import { openPostgres } from './databases/postgres.ts';
import { openSqlite } from './databases/sqlite.ts';
import type { Store, WebhookRecord } from './records.ts';
import { openStore } from './store.ts';

const secret = 'hunter2-correct-horse';
const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

const aWebhook = (projectId: string): WebhookRecord => ({
  id: newId('webhook'),
  projectId,
  url: 'https://example.com/',
  events: ['*'],
  description: null,
  secret: `whsec_${secret}`,
  createdAt: 1,
  place: 0,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  jobId: null,
  dropped: 0,
  droppedAt: null,
});

async function connect(kind: DatabaseKind, { url }: TestDatabase) {
  const connection =
    kind === 'sqlite' ? await openSqlite(url.slice('sqlite:'.length)) : openPostgres(url, () => undefined);
  onTestFinished(() => connection.db.destroy());
  return connection;
}

const tables = ['browsers', 'checkpoints', 'local_storage', 'webhooks', 'idempotency', 'secrets', 'events'];

/** Everything in the tables as text, bytes too. */
async function dump(kind: DatabaseKind, database: TestDatabase): Promise<string> {
  const { db } = await connect(kind, database);
  const all = [];
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    all.push(
      ...rows
        .flatMap((row) => Object.values(row))
        .map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
        ),
    );
  }
  return all.join('\n');
}

/** A record of each kind that holds a secret, and how each is read back. */
async function fill(store: Store) {
  const { id: projectId } = await store.projects.ensure('default');
  const settings = {
    viewport: { width: 1 },
    proxy: { host: 'proxy', password: secret },
    extraHeaders: { authorization: secret },
    cookies: [{ name: 'a', value: secret }],
  };
  const browser = aBrowser({ projectId, settings });
  const plain = aBrowser({ projectId });
  await store.browsers.insert(browser, []);
  await store.browsers.insert(plain, []);
  const checkpoint = { browserId: browser.id, epoch: 1, at: 5, data: { cookies: [secret], é: '“”' } };
  expect(await store.checkpoints.put(checkpoint)).toBe(true);
  const stored = { browserId: browser.id, epoch: 1, origin: 'https://a.example', at: 1, bytes: 9 };
  expect(await store.localStorage.put({ ...stored, items: Buffer.from(secret) })).toBe(true);
  const webhook = await store.webhooks.insert(aWebhook(projectId));
  const row = { projectId, key: 'again', fingerprint: 'f', bootId: 'boot', createdAt: 1 };
  await store.idempotency.claim(row, 1000);
  const body = JSON.stringify({ secret });
  await store.idempotency.complete(projectId, 'again', 'boot', { statusCode: 201, body });
  expect(await store.secrets.ensure('capabilities', secret)).toBe(secret);
  const verify = async (reader: Store): Promise<void> => {
    expect(await reader.browsers.get(browser.id)).toEqual(browser);
    expect(await reader.browsers.get(plain.id)).toEqual(plain);
    expect(await reader.checkpoints.get(browser.id)).toEqual(checkpoint);
    expect(Buffer.from((await reader.localStorage.get(browser.id, stored.origin)) ?? []).toString()).toBe(
      secret,
    );
    expect(await reader.webhooks.get(webhook.id)).toEqual(webhook);
    expect((await reader.idempotency.get(projectId, 'again'))?.body).toBe(JSON.stringify({ secret }));
    expect(await reader.secrets.ensure('capabilities', 'another')).toBe(secret);
  };
  return { projectId, browser, webhook, verify };
}

describe.each(databases)('secrets in the store on %s', (kind) => {
  const opening = (database: TestDatabase) => async (bytes: number[]) => {
    const sealing = openSealing({ secretKey: bytes.map(key), dataDir: database.folder });
    const store = await openStore({ databaseUrl: database.url, dataDir: database.folder, sealing });
    onTestFinished(() => store.close());
    return store;
  };

  test('are sealed in every table and come back as they were', async () => {
    const database = await freshDatabase(kind);
    const store = await opening(database)([1]);
    const { verify, browser, webhook, projectId } = await fill(store);
    await verify(store);
    await store.browsers.change(browser.id, {}, { settings: { ...browser.settings, dialogs: 'accept' } });
    await store.webhooks.change(webhook.id, projectId, { secret: `whsec_new_${secret}` });
    expect((await store.webhooks.get(webhook.id))?.secret).toBe(`whsec_new_${secret}`);
    expect(await store.webhooks.list({ projectId, limit: 5 })).toMatchObject([
      { secret: `whsec_new_${secret}` },
    ]);
    const all = await dump(kind, database);
    expect(all).not.toContain(secret);
    expect(all).toContain('sealed:');
  });

  test('of one record do not open in the place of another', async () => {
    const database = await freshDatabase(kind);
    const store = await opening(database)([1]);
    const { browser, projectId } = await fill(store);
    const other = aBrowser({ projectId });
    await store.browsers.insert(other, []);
    await store.checkpoints.put({ browserId: other.id, epoch: 1, at: 1, data: {} });
    const { db } = await connect(kind, database);
    await sql`update checkpoints set body = (select body from checkpoints where browser_id = ${browser.id}) where browser_id = ${other.id}`.execute(
      db,
    );
    await expect(store.checkpoints.get(other.id)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`checkpoint ${other.id}`),
    });
  });

  test('that an older version stored as they were are read, and sealed in the background', async () => {
    const database = await freshDatabase(kind);
    const store = await opening(database)([1]);
    const { verify, browser, webhook, projectId } = await fill(store);
    const { db } = await connect(kind, database);
    await sql`update browsers set settings = ${JSON.stringify(browser.settings)} where id = ${browser.id}`.execute(
      db,
    );
    const state = JSON.stringify({ cookies: [secret], é: '“”' });
    await sql`update checkpoints set data = ${state}, body = null`.execute(db);
    await sql`update local_storage set items = ${Buffer.from(secret)}`.execute(db);
    await sql`update webhooks set secret = ${webhook.secret}`.execute(db);
    await sql`update idempotency set body = ${JSON.stringify({ secret })}`.execute(db);
    await sql`update secrets set value = ${secret}`.execute(db);
    await verify(store);
    expect(await store.sealing.hasUnsealed()).toBe(true);
    const interrupted = AbortSignal.abort();
    expect(await store.sealing.reseal(interrupted)).toEqual({ changed: 0, finished: false });
    expect(await store.sealing.hasUnsealed()).toBe(true);
    expect(await store.sealing.reseal()).toEqual({ changed: 6, finished: true });
    expect(await store.sealing.hasUnsealed()).toBe(false);
    expect(await store.sealing.reseal()).toEqual({ changed: 0, finished: true });
    await verify(store);
    expect(await dump(kind, database)).not.toContain(secret);
    expect(await store.webhooks.count(projectId)).toBe(1);
  });

  test('go from one key to the next, and only then a start without the old one is taken', async () => {
    const database = await freshDatabase(kind);
    const open = opening(database);
    const before = await open([1]);
    const { verify } = await fill(before);
    const idOf = (byte: number) => openSealing({ secretKey: [key(byte)], dataDir: database.folder }).keyId;
    await expect(open([2])).rejects.toThrow(
      new RegExp(`sealed with the key ${idOf(1)}[^]*BROWSERD_SECRET_KEY=NEW,OLD[^]*secret-key`),
    );
    const both = await open([2, 1]);
    await verify(both);
    await expect(open([2])).rejects.toThrow(idOf(1));
    expect(await both.sealing.reseal()).toEqual({ changed: 6, finished: true });
    expect(await both.sealing.forgetOthers()).toEqual([idOf(1)]);
    await verify(await open([2]));
    await expect(open([1])).rejects.toThrow(idOf(2));
  });

  test('keep their key while one of them does not open', async () => {
    const database = await freshDatabase(kind);
    const { browser } = await fill(await opening(database)([1]));
    const both = await opening(database)([2, 1]);
    const { db } = await connect(kind, database);
    const { rows } = await sql<{ body: Uint8Array }>`select body from checkpoints`.execute(db);
    const bytes = Buffer.from(rows[0]!.body);
    bytes[bytes.length - 1] = bytes.at(-1)! ^ 1;
    await sql`update checkpoints set body = ${bytes}`.execute(db);
    await expect(both.sealing.reseal()).rejects.toThrow(`checkpoint ${browser.id}`);
  });

  test('many rows are gone through, also when writers change them meanwhile', async () => {
    const database = await freshDatabase(kind);
    const [old, both] = [await opening(database)([1]), await opening(database)([2, 1])];
    const { id: projectId } = await old.projects.ensure('default');
    const settings = (text: string) => ({ extraHeaders: { cookie: text } });
    const all = Array.from({ length: 230 }, (_, n) =>
      aBrowser({ projectId, settings: settings(`old ${n}`) }),
    );
    for (const browser of all) await old.browsers.insert(browser, []);
    const changing = all
      .filter((_, n) => n % 10 === 0)
      .map((browser) => both.browsers.change(browser.id, {}, { settings: settings('new') }));
    const [{ finished }] = await Promise.all([both.sealing.reseal(), ...changing]);
    expect(finished).toBe(true);
    await both.sealing.forgetOthers();
    const after = await opening(database)([2]);
    for (const [n, browser] of all.entries())
      expect((await after.browsers.get(browser.id))?.settings).toEqual(
        settings(n % 10 === 0 ? 'new' : `old ${n}`),
      );
  });

  test('a node that is alive and seals with another key is named', async () => {
    const database = await freshDatabase(kind);
    const [old, both] = [await opening(database)([1]), await opening(database)([2, 1])];
    const hour = 3_600_000;
    await old.nodes.boot({ id: 'node_1', bootId: 'boot', startedAt: 1, heartbeatAt: 100 });
    await old.sealing.join('node_1');
    const named = await both.sealing.nodesWithOtherKey(hour);
    expect(named).toEqual([{ nodeId: 'node_1', keyId: expect.stringMatching(/^k_[0-9a-f]{16}$/) }]);
    // Its last sign lies before a time that is still to come.
    expect(await both.sealing.nodesWithOtherKey(-hour)).toEqual([]);
    await both.sealing.join('node_1');
    expect(await both.sealing.nodesWithOtherKey(hour)).toEqual([]);
    await old.sealing.join('node_1');
    await old.nodes.leave('boot');
    expect(await both.sealing.nodesWithOtherKey(hour)).toEqual([]);
  });
});

test('an SQLite file holds nothing of what was sealed afterwards, neither in its log nor in free pages', async () => {
  const database = await freshDatabase('sqlite');
  const store = await database.open();
  const { browser } = await fill(store);
  const { db } = await connect('sqlite', database);
  await sql`update checkpoints set body = null, data = ${JSON.stringify({ text: secret.repeat(1000) })}`.execute(
    db,
  );
  await sql`update browsers set settings = ${JSON.stringify(browser.settings)}`.execute(db);
  const inFiles = () =>
    readdirSync(database.folder).filter((name) => readFileSync(join(database.folder, name)).includes(secret));
  expect(inFiles()).not.toEqual([]);
  await store.sealing.reseal();
  expect(inFiles()).toEqual([]);
});
