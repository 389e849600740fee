import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharesOf } from './shares.ts';

test('what short texts leave goes to the longer ones', () => {
  expect(sharesOf([100, 10_000, 2000, 10_000], 12_000)).toEqual([100, 4950, 2000, 4950]);
  expect(sharesOf([10, 20], 1000)).toEqual([10, 20]);
  expect(sharesOf([], 1000)).toEqual([]);
});

test('the room is never exceeded, and none gets less than an equal part unless it is shorter', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(100_000), { minLength: 1, maxLength: 20 }),
      fc.nat(50_000),
      (lengths, room) => {
        const shares = sharesOf(lengths, room);
        expect(shares.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(room);
        for (const [at, length] of lengths.entries())
          expect(shares[at]).toBeGreaterThanOrEqual(Math.min(length, Math.floor(room / lengths.length)));
      },
    ),
  );
});
