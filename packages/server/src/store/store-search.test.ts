import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { openPostgres } from './databases/postgres.ts';
import { openSqlite } from './databases/sqlite.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import type { BrowserQuery, BrowserRecord } from './records.ts';
import { mostLookedAt } from './tables/browsers-search.ts';

describe.each(databases)('the search on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const connect = async () => {
      const path = database.url.slice('sqlite:'.length);
      const connection = kind === 'sqlite' ? await openSqlite(path) : openPostgres(database.url, () => {});
      onTestFinished(() => connection.db.destroy());
      return connection;
    };
    return { database, connect };
  };
  const opened = async () => {
    const { database, connect } = await fresh();
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    let createdAt = 1000;
    const add = async (fields: Partial<BrowserRecord> = {}): Promise<string> => {
      const browser = aBrowser({ projectId, createdAt: createdAt++, ...fields });
      await store.browsers.insert(browser, []);
      return browser.id;
    };
    const find = async (text: string, more: Partial<BrowserQuery> = {}): Promise<string[]> => {
      const { records } = await store.browsers.search({ projectId, limit: 20, text, ...more });
      return records.map(({ id }) => id);
    };
    return { connect, store, projectId, add, find };
  };

  test('finds words in the name, the metadata and the id, in any case and language, newest first', async () => {
    const { add, find, store } = await opened();
    const checkout = await add({ name: 'Nightly Checkout', metadata: { team: 'Red' } });
    const street = await add({ name: 'ÖKO-STRASSE №5', status: 'ready' });
    const plain = await add({ metadata: { note: '100%_sure\\' } });
    const { id: other } = await store.projects.ensure('other');
    await add({ name: 'checkout', projectId: other });
    expect(await find('checkout')).toEqual([checkout]);
    expect(await find('  NIGHT   red ')).toEqual([checkout]);
    expect(await find('team=red')).toEqual([checkout]);
    expect(await find('öko strasse')).toEqual([street]);
    expect(await find('red strasse')).toEqual([]);
    expect(await find(plain.slice(-8).toUpperCase())).toEqual([plain]);
    // signs with a meaning in patterns mean themselves
    expect(await find('%_s')).toEqual([plain]);
    expect(await find('e\\')).toEqual([plain]);
    expect(await find('_')).toEqual([plain]);
    expect(await find('browser', { status: ['ready'] })).toEqual([street]);
    expect(await find('browser', { ids: [checkout, plain] })).toEqual([plain, checkout]);
    expect(await find('browser', { ids: [] })).toEqual([]);
  });

  test('finds six signs of an id, and fewer only elsewhere, as any id may have them by chance', async () => {
    const { add, find } = await opened();
    const plain = await add();
    const named = await add({ name: plain.slice(-5) });
    expect(await find(plain.slice(-6))).toEqual([plain]);
    expect(await find(plain.slice(-5))).toEqual([named]);
  });

  test('follows a change of the name and of the metadata', async () => {
    const { add, find, store } = await opened();
    const id = await add({ name: 'before', metadata: { team: 'red' } });
    await store.browsers.change(id, {}, { name: 'after' });
    expect([await find('before'), await find('after red')]).toEqual([[], [id]]);
    await store.browsers.change(id, {}, { metadata: {} });
    expect([await find('red'), await find('after')]).toEqual([[], [id]]);
    await store.browsers.change(id, {}, { name: null });
    expect([await find('after'), await find(id)]).toEqual([[], [id]]);
    const { records } = await store.browsers.search({ projectId: 'other', limit: 20, text: id });
    expect(records).toEqual([]);
  });

  test('looks at so many at a time, says how far it came, and misses nothing page after page', async () => {
    const { connect, store, projectId, add } = await opened();
    const oldest = await add({ name: 'needle, the oldest' });
    const { db } = await connect();
    const [row] = await db.selectFrom('browsers').selectAll().execute();
    const { id, ...rest } = row!;
    for (let at = 0; at < mostLookedAt + 500; at += 500)
      await db
        .insertInto('browsers')
        .values(
          Array.from({ length: 500 }, (_, index) => ({
            ...rest,
            id: `${id}${at + index}`,
            name: null,
            created_at: 2000 + at + index,
          })),
        )
        .execute();
    const newest = await add({ name: 'Needle, the newest', createdAt: 100_000 });
    const query = { projectId, limit: 20, text: 'needle' };
    const first = await store.browsers.search(query);
    expect(first.records.map((record) => record.id)).toEqual([newest]);
    const second = await store.browsers.search({ ...query, after: first.lookedTo });
    expect(second.records.map((record) => record.id)).toEqual([oldest]);
    expect(second.lookedTo).toBeUndefined();
    expect(await store.browsers.countOfProject(projectId)).toEqual([
      { status: 'creating', count: mostLookedAt + 502 },
    ]);
  });

  test('knows the browsers of a database that is older than it', async () => {
    const { database, connect } = await fresh();
    const connection = await connect();
    const all = Object.entries(migrations(kind));
    const before = Object.fromEntries(all.filter(([name]) => name < '009-browser-search'));
    await migrate(connection, before);
    await sql`insert into projects (id, name, created_at) values ('p', 'default', 1)`.execute(connection.db);
    const old = aBrowser({ projectId: 'p', name: 'Old One', metadata: { team: 'Red' } });
    const { metadata, settings } = old;
    await sql`insert into browsers (id, project_id, status, name, metadata, settings, created_at, last_action_at, expires_at,
      max_duration, epoch, recoveries, tabs) values (${old.id}, 'p', 'ready', ${old.name}, ${JSON.stringify(metadata)},
      ${JSON.stringify(settings)}, 1, 1, 1, 1, 1, 0, 0)`.execute(connection.db);
    const store = await database.open();
    const { records } = await store.browsers.search({ projectId: 'p', limit: 20, text: 'old red' });
    expect(records.map(({ id }) => id)).toEqual([old.id]);
  });
});
