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

  test('of a newer version that only added something are worked with, and not touched', async () => {
    const { database, connect } = await fresh();
    const colour = {
      up: (db: Kysely<unknown>) => db.schema.alterTable('projects').addColumn('colour', 'text').execute(),
    };
    await migrate(await connect(), { ...migrations(kind), '900-later': colour });
    const words: string[] = [];
    const store = await database.open((word) => words.push(word));
    expect(words).toEqual([]);
    expect(await store.projects.ensure('default')).toMatchObject({ name: 'default' });
    expect(await migrate(await connect(), { ...migrations(kind), '900-later': colour })).toEqual([]);
  });

  test('of a newer version that took something away are refused, and the message says so', async () => {
    const { database, connect } = await fresh();
    const contract = {
      up: async (db: Kysely<unknown>) => {
        await sql`update schema_floor set oldest = '900-later'`.execute(db);
      },
    };
    await migrate(await connect(), { ...migrations(kind), '900-later': contract });
    await expect(database.open()).rejects.toThrow(/newer version of browserd.*900-later/);
  });

  test('of before the nodes of a cluster are kept: what is there is read as it was', async () => {
    const { database, connect } = await fresh();
    const connection = await connect();
    const all = migrations(kind);
    const before = Object.fromEntries(Object.entries(all).filter(([name]) => name < '018'));
    await migrate(connection, before);
    const { db } = connection;
    await sql`insert into projects (id, name, created_at) values ('project_1', 'default', 1)`.execute(db);
    await sql`
      insert into nodes (id, boot_id, started_at, heartbeat_at) values ('node_1', 'boot_1', 1, 1)`.execute(
      db,
    );
    for (const status of ['ready', 'stopped']) {
      await sql`
        insert into browsers (id, project_id, status, metadata, settings, created_at, last_action_at, expires_at,
          max_duration, epoch, recoveries, tabs, node_id)
        values (${`browser_${status}`}, 'project_1', ${status}, '{}', '{}', 1, 1, 2, 1, 3, 0, 0, 'node_1')`.execute(
        db,
      );
      await sql`
        insert into checkpoints (browser_id, epoch, at, data)
        values (${`browser_${status}`}, 3, 5, '{"tabs":[]}')`.execute(db);
    }
    const store = await database.open();
    expect(await store.browsers.get('browser_ready')).toMatchObject({ holder: 'boot_1', epoch: 3 });
    expect(await store.browsers.get('browser_stopped')).toMatchObject({ holder: null, epoch: 3 });
    expect(await store.checkpoints.get('browser_ready')).toEqual({
      ...{ browserId: 'browser_ready', epoch: 3, at: 5 },
      data: { tabs: [] },
    });
    expect(await store.checkpoints.put({ browserId: 'browser_stopped', epoch: 3, at: 6, data: {} })).toBe(
      true,
    );
    expect(await store.nodes.list()).toMatchObject([{ id: 'node_1', state: 'up', renewedAt: 0 }]);
  });
});

test('an SQLite file is private from its first moment, with its companions', async () => {
  const database = await freshDatabase('sqlite');
  const store = await database.open();
  await store.projects.ensure('default');
  const path = database.url.slice('sqlite:'.length);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
});
