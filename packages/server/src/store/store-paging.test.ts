import fc from 'fast-check';
import { CompiledQuery } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  type DatabaseKind,
  databases,
  freshDatabase,
  type TestDatabase,
} from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { rowShape } from './databases/databases.ts';
import { openPostgres } from './databases/postgres.ts';
import { openSqlite } from './databases/sqlite.ts';
import type { BrowserQuery, BrowserRecord, Store } from './records.ts';
import { chooseLead, places } from './tables/browsers-list.ts';
import { lightQuery } from './tables/light-page.ts';

const statuses = ['creating', 'ready', 'stopped', 'closed'];
const teams = ['red', 'blue', 'green'];
const newestFirst = (a: BrowserRecord, b: BrowserRecord): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

const random = (below: number): number => Math.floor(Math.random() * below);
const oneOf = <T>(list: readonly T[]): T => list[random(list.length)]!;

/** The same records in memory, and what a list should say of them. */
class Model {
  readonly records = new Map<string, BrowserRecord>();

  list({
    projectId,
    status,
    metadata = {},
    createdAfter,
    createdBefore,
    after,
    limit,
  }: BrowserQuery): string[] {
    return [...this.records.values()]
      .filter((record) => record.projectId === projectId)
      .filter((record) => status === undefined || status.includes(record.status))
      .filter((record) => Object.entries(metadata).every(([key, value]) => record.metadata[key] === value))
      .filter(({ createdAt }) => createdAfter === undefined || createdAt > createdAfter)
      .filter(({ createdAt }) => createdBefore === undefined || createdAt < createdBefore)
      .filter((record) => after === undefined || newestFirst(record, { ...record, ...after }) > 0)
      .toSorted(newestFirst)
      .slice(0, limit)
      .map(({ id }) => id);
  }
}

const shape = rowShape<BrowserRecord, 'metadata' | 'settings' | 'receipt' | 'startPage' | 'handoff'>(
  'metadata',
  'settings',
  'receipt',
  'startPage',
  'handoff',
);

const connect = async (kind: DatabaseKind, { url }: TestDatabase) =>
  kind === 'sqlite' ? await openSqlite(url.slice('sqlite:'.length)) : openPostgres(url, () => {});

/** Many records by few statements: how a single one is inserted is what other suites are about. */
async function insertAll(
  kind: DatabaseKind,
  database: TestDatabase,
  records: BrowserRecord[],
): Promise<void> {
  const { db } = await connect(kind, database);
  try {
    for (let at = 0; at < records.length; at += 500) {
      const some = records.slice(at, at + 500);
      await db.insertInto('browsers').values(some.map(shape.toRow)).execute();
      const pairs = some.flatMap(({ id: browser_id, projectId: project_id, metadata, status, createdAt }) =>
        Object.entries(metadata).map(([key, value]) => ({
          browser_id,
          project_id,
          key,
          value,
          status,
          created_at: createdAt,
        })),
      );
      await db.insertInto('browser_metadata').values(pairs).execute();
    }
  } finally {
    await db.destroy();
  }
}

describe.each(databases)('pages of browsers on %s', (kind) => {
  const filled = async (count: number) => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const { id: otherProject } = await store.projects.ensure('other');
    const model = new Model();
    const made = (createdAt: number): BrowserRecord => {
      const browser = aBrowser({
        projectId: random(20) === 0 ? otherProject : projectId,
        createdAt,
        status: oneOf(statuses),
        metadata: random(2) === 0 ? {} : { team: oneOf(teams), shift: oneOf(['day', 'night']) },
      });
      model.records.set(browser.id, browser);
      return browser;
    };
    const add = (createdAt: number): Promise<unknown> => store.browsers.insert(made(createdAt), []);
    // few times for many records, so that pages end between records of the same time
    const records = Array.from({ length: count }, () => made(1000 + random(count / 4)));
    await insertAll(kind, database, records);
    const change = async (): Promise<void> => {
      const id = oneOf([...model.records.keys()]);
      const patch = random(3) === 0 ? { metadata: { team: oneOf(teams) } } : { status: oneOf(statuses) };
      model.records.set(id, (await store.browsers.change(id, {}, patch))!);
    };
    return { database, store, projectId, model, add, change };
  };

  const pages = async (
    { browsers }: Store,
    query: BrowserQuery,
    between: (page: readonly BrowserRecord[], query: BrowserQuery) => Promise<void>,
  ) => {
    const listed: BrowserRecord[] = [];
    for (let after = query.after; ; after = listed.at(-1)!) {
      const { records: page } = await browsers.list({ ...query, after });
      await between(page, { ...query, after });
      listed.push(...page);
      if (page.length < query.limit) return listed;
    }
  };

  test('list each of 5,000 once while others are made and change', async () => {
    const { store, projectId, model, add, change } = await filled(5000);
    const before = model.list({ projectId, limit: 10_000 });
    const listed = await pages(store, { projectId, limit: 100 }, async () => {
      await add(1000 + random(3000));
      await change();
    });
    const ids = listed.map(({ id }) => id);
    const once = new Set(ids);
    expect(once.size).toBe(ids.length);
    expect(before.filter((id) => !once.has(id))).toEqual([]);
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(
      listed.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
    );
  });

  test('are what a plain filter over all records says, for any filter', async () => {
    const { store, projectId, model, add, change } = await filled(300);
    const when = fc.integer({ min: 990, max: 1085 });
    const filter = fc.record(
      {
        status: fc.uniqueArray(fc.constantFrom(...statuses), { minLength: 1 }),
        metadata: fc.record(
          { team: fc.constantFrom(...teams), shift: fc.constantFrom('day', 'night') },
          { requiredKeys: [] },
        ),
        createdAfter: when,
        createdBefore: when,
        after: fc.record({ createdAt: when, id: fc.constantFrom(...model.records.keys()) }),
      },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(filter, fc.integer({ min: 1, max: 100 }), async (wanted, limit) => {
      await pages(store, { projectId, limit, ...wanted }, async (page, query) => {
        expect(page.map(({ id }) => id)).toEqual(model.list(query));
        if (random(4) === 0) await add(1000 + random(75));
        if (random(2) === 0) await change();
      });
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('are walked along an index, whatever the filter and wherever the page lies', async () => {
    const { database, projectId } = await filled(kind === 'sqlite' ? 100 : 5000);
    const { db } = await connect(kind, database);
    const explain = kind === 'sqlite' ? 'explain query plan' : 'explain';
    const planOf = async ({ sql, parameters }: CompiledQuery): Promise<string> => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
      return rows.map((row) => Object.values(row as object).at(-1)).join('\n');
    };
    try {
      await db.executeQuery(CompiledQuery.raw('analyze'));
      const after = { createdAt: 1010, id: 'browser_1' };
      const filters: Partial<BrowserQuery>[] = [
        {},
        { after },
        { after, createdBefore: 1200, createdAfter: 1001 },
        { status: ['ready'] },
        { status: ['ready', 'stopped', 'creating'], after },
        { metadata: { team: 'red' }, after },
        { metadata: { team: 'red', shift: 'day' }, status: ['ready', 'closed'], after },
      ];
      for (const filter of filters) {
        const query = { projectId, limit: 20, ...filter };
        const page = places(db, query, await chooseLead(db, query));
        const walk = await planOf(db.selectFrom(page).selectAll().compile());
        expect(walk).toMatch(/index/i);
        expect(walk).not.toMatch(/TEMP B-TREE/);
        const weighed = lightQuery({ table: 'browsers', places: page, weighed: ['settings'] });
        for (const plan of [walk, await planOf(weighed.compile(db))])
          expect(plan).not.toMatch(/SCAN (browsers|lead|other)|Seq Scan|Bitmap/);
      }
    } finally {
      await db.destroy();
    }
  });
});
