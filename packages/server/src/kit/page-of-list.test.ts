import { expect, test } from 'vitest';
import type { Place } from './cursor.ts';
import { firstPage, pageOfList } from './page-of-list.ts';

const records: Place[] = [5, 4, 3, 2, 1].map((at) => ({ createdAt: at, id: `browser_${at}` }));
const list = async ({ after, limit }: { after?: Place; limit: number }): Promise<Place[]> =>
  records.filter(({ createdAt }) => !after || createdAt < after.createdAt).slice(0, limit);
const show = ({ createdAt }: Place): number => createdAt;

test('the pages of a list have every record once, and only the last has no cursor', async () => {
  const first = await pageOfList({ limit: 2 }, list, show);
  expect(first).toMatchObject({ items: [5, 4], limit: 2, hasMore: true });
  const second = await pageOfList({ limit: 2, cursor: first.nextCursor }, list, show);
  expect(second).toMatchObject({ items: [3, 2], hasMore: true });
  const third = await pageOfList({ limit: 2, cursor: second.nextCursor }, list, show);
  expect(third).toEqual({ items: [1], limit: 2, hasMore: false });
});

test('a page that the list just fills is the last one', async () => {
  expect(await pageOfList({ limit: 5 }, list, show)).toEqual({
    items: [5, 4, 3, 2, 1],
    limit: 5,
    hasMore: false,
  });
});

test('a cursor that no list returned is refused', async () => {
  await expect(pageOfList({ limit: 2, cursor: 'x' }, list, show)).rejects.toThrow(/cursor/);
});

test('a list in an order of its own has cursors of its own', () => {
  const double = (each: number): number => each * 2;
  expect(firstPage([7, 8, 9], 2, (last) => `after ${last}`, double)).toEqual({
    items: [14, 16],
    limit: 2,
    hasMore: true,
    nextCursor: 'after 8',
  });
  expect(firstPage([], 2, String, double)).toEqual({ items: [], limit: 2, hasMore: false });
});
