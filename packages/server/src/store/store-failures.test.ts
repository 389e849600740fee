import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { openSealing } from '../sealing/sealing.ts';
import { attempt, attempting } from './databases/attempt.ts';
import { databaseName } from './databases/database-name.ts';
import { failureOf } from './databases/failure.ts';
import { openPostgres } from './databases/postgres.ts';
import { openSqlite } from './databases/sqlite.ts';
import { openStore } from './store.ts';
import { browsers } from './tables/browsers.ts';
import { projects } from './tables/projects.ts';

const unavailable = (message: RegExp) => ({
  code: 'STORE_UNAVAILABLE',
  message: expect.stringMatching(message),
});

test.each(databases)('a closed store on %s says so', async (kind) => {
  const store = await (await freshDatabase(kind)).open();
  await store.close();
  await expect(store.ping()).rejects.toMatchObject(unavailable(/closed/));
});

describe('a failing SQLite', () => {
  const fresh = async () => {
    const database = await freshDatabase('sqlite');
    const path = database.url.slice('sqlite:'.length);
    const store = await database.open();
    const holder = new DatabaseSync(path);
    onTestFinished(() => holder.close());
    return { store, holder, path };
  };

  test('that another process keeps locked is unavailable after a while, and nothing else waits for it', async () => {
    const { store, holder } = await fresh();
    holder.exec('begin immediate');
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    await expect(store.projects.ensure('new')).rejects.toMatchObject(unavailable(/locked/));
    clearInterval(others);
    expect(turns).toBeGreaterThan(20);
    expect(await store.projects.count()).toBe(0);
  });

  test('that is locked for a moment is waited for', async () => {
    const { store, holder } = await fresh();
    holder.exec('begin immediate');
    const ensured = store.projects.ensure('new');
    await sleep(100);
    holder.exec('rollback');
    expect(await ensured).toMatchObject({ name: 'new' });
  });

  test('with a full disk is unavailable, has changed nothing and works again when there is room', async () => {
    const { path } = await fresh();
    const connection = await openSqlite(path);
    onTestFinished(() => connection.db.destroy());
    const sealing = openSealing({ secretKey: null, dataDir: dirname(path) });
    const store = attempting(browsers({ ...connection, sealing }));
    const { id: projectId } = await projects(connection).ensure('default');
    await sql`pragma max_page_count = 1`.execute(connection.db);
    const large = () =>
      aBrowser({ projectId, metadata: { a: 'b' }, settings: { text: 'x'.repeat(100_000) } });
    const refused = large();
    await expect(store.insert(refused, [])).rejects.toMatchObject(unavailable(/full/));
    expect(await store.get(refused.id)).toBeUndefined();
    await sql`pragma max_page_count = 1000000`.execute(connection.db);
    await store.insert(refused, []);
    expect((await store.list({ projectId, metadata: { a: 'b' }, limit: 5 })).records).toEqual([refused]);
  });

  test('whose file is no database, or cannot be made, is told by its name', async () => {
    const { path } = await fresh();
    const broken = `${path}.broken`;
    writeFileSync(broken, 'this is not a database, but long enough to be taken for one'.repeat(100));
    const open = (databaseUrl: string) => openStore({ databaseUrl, dataDir: '.' });
    await expect(open(`sqlite:${broken}`)).rejects.toMatchObject(unavailable(/broken.*damaged/));
    await expect(open(`sqlite:${join(path, 'below a file')}`)).rejects.toMatchObject(
      unavailable(/below a file/),
    );
    await expect(open('sqlite:')).rejects.toThrow(/names no file/);
  });
});

describe('a failing PostgreSQL', () => {
  const ask = async <Row>(url: string, text: string): Promise<Row[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };

  test('that nobody listens for is unavailable, and the message does not tell the password', async () => {
    const url = 'postgres://someone:hunter2@127.0.0.1:1/nowhere?password=hunter2';
    const failed = await openStore({ databaseUrl: url, dataDir: '.' }).catch((error: Error) => error);
    expect(failed).toMatchObject(unavailable(/127\.0\.0\.1:1\/nowhere cannot be opened.*cannot be reached/));
    expect((failed as Error).message).not.toContain('hunter2');
    for (const password of ["it'shunter2", 'p@hunter2', 'p?hunter2', '1?hunter2', '1/hunter2', '1#hunter2'])
      expect(databaseName(`postgres://someone:${password}@db/x`)).not.toMatch(/hunter2|someone/);
  });

  test('that lacks the database is told apart', async () => {
    const databaseUrl = Object.assign(new URL(inject('postgresUrl')), { pathname: '/missing' }).toString();
    await expect(openStore({ databaseUrl, dataDir: '.' })).rejects.toMatchObject(unavailable(/refused/));
  });

  test('that ends our connections ends nothing else: the next call has a new one', async () => {
    const database = await freshDatabase('postgres');
    const words: string[] = [];
    const lost = Promise.withResolvers<void>();
    const store = await database.open((word) => {
      words.push(word);
      if (word === 'store.connection_lost') lost.resolve();
    });
    await store.projects.ensure('default');
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'browserd'`;
    await ask(database.url, end);
    await lost.promise;
    expect(await store.projects.count()).toBe(1);
    expect(words.filter((word) => word !== 'store.migrated')).toEqual(['store.connection_lost']);
  });

  test('that ends a connection in the middle of a transaction fails that transaction alone', async () => {
    const database = await freshDatabase('postgres');
    const store = await database.open();
    const connection = openPostgres(database.url, () => undefined);
    onTestFinished(() => connection.db.destroy());
    let attempts = 0;
    const cut = attempt(() =>
      connection.db.transaction().execute(async (trx) => {
        attempts++;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await ask(database.url, `select pg_terminate_backend(${rows[0]!.pid}, 5000)`);
        await sleep(50);
        await trx.insertInto('projects').values({ id: 'project_1', name: 'lost', created_at: 1 }).execute();
      }),
    );
    await expect(cut).rejects.toMatchObject(unavailable(/cannot be reached/));
    // not tried again: when the connection is lost during a commit, it is unknown whether it was done
    expect(attempts).toBe(1);
    expect(await projects(connection).count()).toBe(0);
    await store.ping();
  });

  test('that has no connection left is unavailable until there is one', async () => {
    const database = await freshDatabase('postgres');
    const role = `limited_${new URL(database.url).pathname.slice(1)}`;
    await database.open();
    await ask(
      database.url,
      `create role ${role} login connection limit 1; grant all on all tables in schema public to ${role}`,
    );
    const url = Object.assign(new URL(database.url), { username: role }).toString();
    const holder = new Client({ connectionString: url });
    await holder.connect();
    const connection = openPostgres(url, () => undefined);
    onTestFinished(() => connection.db.destroy());
    const { count } = attempting(projects(connection));
    await expect(count()).rejects.toMatchObject(unavailable(/out of connections/));
    await holder.end();
    await expect.poll(() => count().catch(() => undefined)).toBe(0);
  });

  test('that finds a deadlock has one side tried again, and both get through', async () => {
    const database = await freshDatabase('postgres');
    await database.open();
    const connection = openPostgres(database.url, () => undefined);
    onTestFinished(() => connection.db.destroy());
    const { ensure } = projects(connection);
    const [a, b] = [await ensure('a'), await ensure('b')];
    let attempts = 0;
    let firstLocks = 0;
    const bothLocked = Promise.withResolvers<void>();
    const rename = (ids: string[]) =>
      attempt(() =>
        connection.db.transaction().execute(async (trx) => {
          attempts++;
          for (const id of ids) {
            const rows = trx.updateTable('projects').where('id', '=', id);
            await rows.set((eb) => ({ created_at: eb('created_at', '+', 1) })).execute();
            if (++firstLocks === 2) bothLocked.resolve();
            await bothLocked.promise;
          }
        }),
      );
    await Promise.all([rename([a.id, b.id]), rename([b.id, a.id])]);
    expect(attempts).toBe(3);
    expect(await projects(connection).get(a.id)).toMatchObject({ createdAt: a.createdAt + 2 });
  });

  test('refuses a text with a NUL character as a fault of the request', async () => {
    const store = await (await freshDatabase('postgres')).open();
    await expect(store.projects.ensure('a\u0000b')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

test.each([
  {
    code: '57P01',
    message: 'terminating connection due to administrator command',
    words: /cannot be reached/,
  },
  { code: '57014', message: 'canceling statement due to statement timeout', words: /too long/ },
  { code: '53100', message: 'could not extend file', words: /disk space/ },
  { code: '25006', message: 'cannot execute INSERT in a read-only transaction', words: /no changes/ },
  { code: 'ECONNRESET', message: 'read ECONNRESET', words: /cannot be reached/ },
  { message: 'Connection terminated unexpectedly', words: /cannot be reached/ },
  {
    errcode: 8 | (4 << 8),
    message: 'attempt to write a readonly database',
    words: /cannot be opened or written/,
  },
  { errcode: 10 | (3 << 8), message: 'disk I/O error', words: /fails to read or write/ },
])('the failure “$message” is told in words that help', ({ words, message, ...fields }) => {
  const failure = failureOf(Object.assign(new Error(message), fields));
  expect(failure).toMatchObject({ error: unavailable(words), passing: false });
});

test('a fault of our own is not taken for a failure of the database', () => {
  expect(failureOf(Object.assign(new Error('syntax error'), { code: '42601' }))).toBeUndefined();
  expect(failureOf(Object.assign(new Error('constraint'), { errcode: 19 }))).toBeUndefined();
  expect(failureOf(new TypeError('x is not a function'))).toBeUndefined();
  expect(failureOf('text')).toBeUndefined();
});
