import { statSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { openPostgres } from './databases/postgres.ts';
import { openSqlite } from './databases/sqlite.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';

describe.each(databases)('migrations on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const path = database.url.slice('sqlite:'.length);
    const connect = async () => {
      const connection =
        kind === 'sqlite' ? await openSqlite(path) : openPostgres(database.url, () => undefined);
      onTestFinished(() => connection.db.destroy());
      return connection;
    };
    return { database, connect };
  };

  test('run once on an empty database and not again on an existing one', async () => {
    const { database, connect } = await fresh();
    const words: object[] = [];
    const store = await database.open((word, fields) => words.push({ word, ...fields }));
    expect(words).toEqual(
      Object.keys(migrations(kind)).map((migration) => ({ word: 'store.migrated', migration })),
    );
    const { id: projectId } = await store.projects.ensure('default');
    const browser = aBrowser({ projectId });
    await store.browsers.insert(browser, []);
    expect(await migrate(await connect())).toEqual([]);
    expect(await store.browsers.get(browser.id)).toEqual(browser);
  });

  test('that are new run on an existing database while another process uses it', async () => {
    const { database, connect } = await fresh();
    const store = await database.open();
    const all = {
      ...migrations(kind),
      '800-colour': {
        up: (db: Kysely<unknown>) => db.schema.alterTable('projects').addColumn('colour', 'text').execute(),
      },
    };
    const runs = await Promise.all([migrate(await connect(), all), migrate(await connect(), all)]);
    expect(runs.flat()).toEqual(['800-colour']);
    expect(await store.projects.ensure('default')).toMatchObject({ name: 'default' });
  });

  test('that fail midway leave nothing behind', async () => {
    const { connect } = await fresh();
    const connection = await connect();
    const broken = {
      up: async (db: Kysely<unknown>) => {
        await db.schema.createTable('half').addColumn('id', 'text').execute();
        throw new Error('no further');
      },
    };
    const all = { ...migrations(kind), '800-broken': broken };
    await expect(migrate(connection, all)).rejects.toThrow('no further');
    await expect(sql`select * from half`.execute(connection.db)).rejects.toThrow(/half/);
    expect(await migrate(connection)).toEqual(Object.keys(migrations(kind)));
  });

  test('of a newer version are not touched, and the message says so', async () => {
    const { database, connect } = await fresh();
    const newer = { ...migrations(kind), '900-later': { up: async () => undefined } };
    await migrate(await connect(), newer);
    await expect(database.open()).rejects.toThrow(/newer version of browserd.*900-later/);
  });
});

test('an SQLite file is private from its first moment, with its companions', async () => {
  const database = await freshDatabase('sqlite');
  const store = await database.open();
  await store.projects.ensure('default');
  const path = database.url.slice('sqlite:'.length);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
});
