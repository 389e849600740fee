import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasMoreThan, isDeeperThan } from './json-depth.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('the depth of JSON is known without parsing it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const json = Buffer.from(JSON.stringify(value));
      const depth = depthOf(value);
      expect(isDeeperThan(json, depth)).toBe(false);
      if (depth > 0) expect(isDeeperThan(json, depth - 1)).toBe(true);
    }),
  );
});

test('brackets inside strings do not count as levels', () => {
  const json = Buffer.from(JSON.stringify({ a: '\\"[[{{'.repeat(100), b: '\\' }));
  expect(isDeeperThan(json, 1)).toBe(false);
});

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, each) => sum + valuesIn(each), 0)
    : 1;

const emptyIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  return items.length === 0 ? 1 : items.reduce<number>((sum, each) => sum + emptyIn(each), 0);
};

test('the number of values is known without parsing them, to within the empty lists and objects', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const bare = Buffer.from(JSON.stringify(value));
      const empty = emptyIn(value);
      const count = valuesIn(value);
      expect(hasMoreThan(bare, count + empty)).toBe(false);
      if (count > 1) expect(hasMoreThan(bare, count - 1)).toBe(true);
    }),
  );
});

test('commas inside strings do not count as values', () => {
  expect(hasMoreThan(Buffer.from(JSON.stringify([',,,,,,"[{,'.repeat(100)])), 2)).toBe(false);
});
