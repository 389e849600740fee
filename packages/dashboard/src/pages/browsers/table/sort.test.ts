import { expect, test } from 'vitest';
import { newestFirst, nextSort, sorted, sortOf, sortText } from './sort.ts';

const at = (minute: number): string => new Date(minute * 60_000).toISOString();
const browser = (id: string, name: string | undefined, minute: number, tabs: number) => ({
  record: { id, name, status: 'ready' as const, tabs, lastActionAt: at(10 - minute), createdAt: at(minute) },
});
const all = [browser('c', 'job 10', 3, 1), browser('b', undefined, 2, 5), browser('a', 'Job 9', 1, 1)];
const ids = (sort: string) =>
  sorted(all, sortOf(sort))
    .map(({ record }) => record.id)
    .join('');

test('numbers in names count as numbers, and browsers without a name come last', () => {
  expect([ids('name'), ids('createdAt'), ids('-createdAt'), ids('lastActionAt')]).toEqual([
    'acb',
    'abc',
    'cba',
    'cba',
  ]);
});

test('equal ones stay in the order of the list', () => {
  expect([ids('-tabs'), ids('tabs'), ids('status')]).toEqual(['bca', 'cab', 'cba']);
});

test('a column begins as expected and turns round at the second click; the address can say anything', () => {
  expect(sortText(nextSort(newestFirst, 'name'))).toBe('name');
  expect(sortText(nextSort(sortOf('name'), 'name'))).toBe('-name');
  expect(sortText(nextSort(sortOf('name'), 'lastActionAt'))).toBe('-lastActionAt');
  expect([sortOf('toString'), sortOf('-'), sortOf(null)]).toEqual([newestFirst, newestFirst, newestFirst]);
});
