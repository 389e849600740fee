import { expect, onTestFinished, test } from 'vitest';
import { type DatabaseKind, databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anEvent } from '../../tests/support/samples.ts';
import { createLog } from '../kit/log.ts';
import { createEvents } from './events.ts';
import type { Follower } from './feed.ts';

async function fresh(kind: DatabaseKind) {
  const database = await freshDatabase(kind);
  const store = await database.open();
  const events = createEvents({ store, log: createLog('silent') });
  onTestFinished(() => events.close());
  const { id: projectId } = await store.projects.ensure('default');
  const browser = aBrowser({ projectId });
  const happen = (from: number, count: number, writer = store) =>
    writer.events.append(
      Array.from({ length: count }, (_, n) => anEvent(browser, { data: { n: from + n } })),
    );
  const follow = async (query = {}) => {
    const follower = await events.follow(projectId, query);
    onTestFinished(() => follower[Symbol.dispose]());
    return follower;
  };
  return { database, store, events, projectId, happen, follow };
}

const never = new AbortController().signal;

async function read(follower: Follower, count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  while (seen.length < count) seen.push(...(await follower.next(20_000, never)).map(({ data }) => data.n));
  return seen;
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test.each(databases)('a follower that fell far behind gets everything, in order, on %s', async (kind) => {
  const { happen, follow } = await fresh(kind);
  const [quick, slow] = [await follow(), await follow()];
  const began = await (async () => {
    await happen(0, 10);
    return read(slow, 10);
  })();
  const seen = await read(quick, 10);
  for (let from = 10; from < 2510; from += 500) {
    await happen(from, 500);
    seen.push(...(await read(quick, 500)));
  }
  expect(seen).toEqual(upTo(2510));
  expect([...began, ...(await read(slow, 2500))]).toEqual(upTo(2510));
});

test('what another process writes to the same PostgreSQL is told as well', async () => {
  const { database, happen, follow } = await fresh('postgres');
  const other = await database.open();
  const follower = await follow();
  await happen(0, 3, other);
  expect(await read(follower, 3)).toEqual([0, 1, 2]);
});

test('a look that fails is made again', async () => {
  const { store, happen, follow } = await fresh('sqlite');
  const follower = await follow();
  const { list } = store.events;
  let failed = 0;
  store.events.list = async () => {
    store.events.list = list;
    failed++;
    throw new Error('the database is away');
  };
  await happen(0, 2);
  expect(await read(follower, 2)).toEqual([0, 1]);
  expect(failed).toBe(1);
});

test('waiting ends with the time or with the patience of the caller', async () => {
  const { follow } = await fresh('sqlite');
  const follower = await follow();
  expect(await follower.next(10, never)).toEqual([]);
  const enough = new AbortController();
  const waiting = follower.next(600_000, enough.signal);
  enough.abort();
  expect(await waiting).toEqual([]);
});
