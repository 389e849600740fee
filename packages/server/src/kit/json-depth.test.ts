import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

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
