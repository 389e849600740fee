import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, aProfile } from '../../tests/support/samples.ts';
import type { BrowserRecord } from './records.ts';
import { mostBytes } from './tables/light-page.ts';

const large = mostBytes / 4;

describe.each(databases)('a page of large rows on %s', (kind) => {
  const opened = async () => {
    const store = await (await freshDatabase(kind)).open();
    const { id: projectId } = await store.projects.ensure('default');
    const add = async (createdAt: number, bytes: number, more: Partial<BrowserRecord> = {}) => {
      const settings = { policy: { rules: 'x'.repeat(bytes) } };
      await store.browsers.insert(aBrowser({ projectId, createdAt, settings, ...more }), []);
    };
    const timesOf = (records: readonly { createdAt: number }[]) => records.map(({ createdAt }) => createdAt);
    return { store, projectId, add, timesOf };
  };

  test('ends before it is too heavy and says so, and the next one goes on behind it', async () => {
    const { store, projectId, add, timesOf } = await opened();
    for (let at = 1; at <= 8; at++) await add(at, large);
    const first = await store.browsers.list({ projectId, limit: 6 });
    expect([timesOf(first.records), first.cut]).toEqual([[8, 7, 6], true]);
    const second = await store.browsers.list({ projectId, limit: 6, after: first.records.at(-1)! });
    expect([timesOf(second.records), second.cut]).toEqual([[5, 4, 3], true]);
    const third = await store.browsers.list({ projectId, limit: 6, after: second.records.at(-1)! });
    expect([timesOf(third.records), third.cut]).toEqual([[2, 1], false]);
  });

  test('has its first row however large that is, and not the light ones behind a heavy one', async () => {
    const { store, projectId, add, timesOf } = await opened();
    await add(1, 10);
    await add(2, 2 * mostBytes);
    await add(3, 10);
    await add(4, 2 * mostBytes);
    const pages: unknown[] = [];
    for (let after: BrowserRecord | undefined, more = true; more; ) {
      const { records, cut } = await store.browsers.list({ projectId, limit: 9, after });
      pages.push(timesOf(records));
      [after, more] = [records.at(-1), cut];
    }
    expect(pages).toEqual([[4], [3], [2], [1]]);
  });

  test('is bounded the same way in a search, whose walk then goes on behind what was given', async () => {
    const { store, projectId, add, timesOf } = await opened();
    for (let at = 1; at <= 5; at++) await add(at, large, { name: 'checkout' });
    const first = await store.browsers.search({ projectId, text: 'check', limit: 9 });
    expect([timesOf(first.records), first.cut, first.lookedTo]).toEqual([[5, 4, 3], true, undefined]);
    const after = first.records.at(-1)!;
    const second = await store.browsers.search({ projectId, text: 'check', limit: 9, after });
    expect([timesOf(second.records), second.cut]).toEqual([[2, 1], false]);
  });

  test('counts every column that its writer decides the length of', async () => {
    const { store, projectId } = await opened();
    for (let at = 1; at <= 5; at++) {
      const profile = aProfile({ projectId, createdAt: at, signInCheck: { selector: 'x'.repeat(large) } });
      await store.profiles.insert(profile, { quotaBytes: null, events: [] });
    }
    expect(await store.profiles.list({ projectId, limit: 9 })).toMatchObject({
      records: [{ createdAt: 5 }, { createdAt: 4 }, { createdAt: 3 }],
      cut: true,
    });
  });
});
