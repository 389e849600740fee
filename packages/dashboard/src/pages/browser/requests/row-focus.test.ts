import { expect, test } from 'vitest';
import { nextRow } from './row-focus.ts';

test('keys move through the rows, and stay within them', () => {
  expect(nextRow('ArrowDown', 3, 10)).toBe(4);
  expect(nextRow('ArrowUp', 0, 10)).toBe(0);
  expect(nextRow('PageDown', 3, 10)).toBe(9);
  expect(nextRow('Home', 3, 10)).toBe(0);
  expect(nextRow('End', 3, 10)).toBe(9);
  expect(nextRow('End', -1, 0)).toBeUndefined();
  expect(nextRow('Enter', 3, 10)).toBeUndefined();
  expect(nextRow('constructor', 3, 10)).toBeUndefined();
});
