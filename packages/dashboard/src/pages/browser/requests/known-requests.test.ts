import { expect, test } from 'vitest';
import { joined, mostKnown, type Row } from './known-requests.ts';

const row = (n: number, more: Partial<Row> = {}): Row => ({
  id: `request_${n}`,
  tabId: 'A',
  from: 'page',
  method: 'GET',
  url: 'https://a.test/',
  type: 'fetch',
  state: 'finished',
  startedAt: new Date(1_000_000 + n).toISOString(),
  fromCache: false,
  fromServiceWorker: false,
  wireBytes: 0,
  bodyBytes: 0,
  ...more,
});
const ids = (rows: readonly Row[]): number[] => rows.map(({ id }) => Number(id.slice(8)));

test('pages that overlap become one list, oldest first, whichever came first', () => {
  const newest = joined([], [row(5), row(4)]);
  expect(ids(newest)).toEqual([4, 5]);
  expect(ids(joined(newest, [row(6), row(5)]))).toEqual([4, 5, 6]);
  expect(ids(joined(newest, [row(3), row(2)]))).toEqual([2, 3, 4, 5]);
});

test('requests of one millisecond keep the order of the log', () => {
  const startedAt = row(1).startedAt;
  const known = joined([], [row(7, { startedAt }), row(9, { startedAt }), row(8, { startedAt })]);
  expect(ids(known)).toEqual([8, 9, 7]);
});

test('a request that has ended replaces the one that was pending, and the others stay the same objects', () => {
  const known = joined([], [row(2, { state: 'pending' }), row(1)]);
  const next = joined(known, [row(2), row(1)]);
  expect(next.map(({ state }) => state)).toEqual(['finished', 'finished']);
  expect(next[0]).toBe(known[0]);
  expect(joined(next, [row(2), row(1)])).toBe(next);
});

test('the oldest go when there are too many', () => {
  const many = Array.from({ length: mostKnown + 3 }, (_, n) => row(n)).toReversed();
  const known = joined([], many);
  expect(known).toHaveLength(mostKnown);
  expect(known[0]?.id).toBe('request_3');
});
