import { expect, test } from 'vitest';
import { isId, newId } from './id.ts';

test('ids made one after the other are in that order, also within a millisecond, and each is its own', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('file'));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => isId('file', id))).toBe(true);
});
