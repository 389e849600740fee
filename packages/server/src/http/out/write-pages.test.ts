import { expect, test } from 'vitest';
import { atOnce } from '../../kit/at-once.ts';
import { written } from './write-pages.ts';

test.each([
  { items: [], limit: 20, hasMore: false },
  { items: [{ a: 'é"\n', none: undefined }, [1], 'x', null], limit: 4, hasMore: true, nextCursor: 'c' },
  { items: [1] },
])('a page that is written item by item is the same JSON', (page) => {
  expect(atOnce(written(page))).toBe(JSON.stringify(page));
});

test('other work has its turn between two items', () => {
  expect([...written({ items: ['large', 'large', 'large'] })]).toHaveLength(2);
});
