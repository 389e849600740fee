import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRange } from './range.ts';

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-1000000000000000000000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['Bytes = 5-6', { start: 5, end: 6 }],
  ['bytes=,5-6,', { start: 5, end: 6 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=0-1,5-6', 'whole'],
  ['bytes=6-5', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=--5', 'whole'],
  ['items=0-5', 'whole'],
  ['', 'whole'],
  [undefined, 'whole'],
])('of 100 bytes %j is %j', (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});

test('of nothing there is no part', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-5'])
    expect(readRange(header, 0)).toBe('unsatisfiable');
  expect(readRange(undefined, 0)).toBe('whole');
});

test('whatever is asked, a range lies within', () => {
  const text = fc.oneof(
    fc.string(),
    fc.tuple(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n })).map(([a, b]) => `bytes=${a}-${b}`),
    fc.tuple(fc.nat(300), fc.nat(300)).map(([a, b]) => `bytes=${a}-${b}`),
  );
  fc.assert(
    fc.property(text, fc.nat(200), (header, size) => {
      const range = readRange(header, size);
      if (typeof range === 'string') return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.start).toBeLessThanOrEqual(range.end);
      expect(range.end).toBeLessThan(size);
    }),
  );
});
