import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfString, hasMoreInSteps, hasMoreThan, isDeeperInSteps, isDeeperThan } from './json-depth.ts';

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

test('in a string of many steps nothing counts', () => {
  for (const part of ['[{,', '\\"[{,', '\\[{,', `${'x'.repeat(100)}\\"[{,`]) {
    const json = Buffer.from(JSON.stringify([part.repeat(200_000 / part.length)]));
    expect(isDeeperThan(json, 1)).toBe(false);
    expect(hasMoreThan(json, 2)).toBe(false);
  }
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

describe('the end of a string', () => {
  const letters = fc.array(fc.constantFrom('"', '\\', '\n', 'ö', 'plain '.repeat(7), '\\"'.repeat(5)));

  test('is found wherever the search for it paused', () => {
    fc.assert(
      fc.property(letters, fc.integer({ min: 1, max: 40 }), (parts, stepBytes) => {
        const string = Buffer.from(JSON.stringify(parts.join('')));
        const json = Buffer.concat([string, Buffer.from(',"')]);
        let [at, until] = [1, 0];
        while (at >= until && at < json.length) {
          until = at + stepBytes;
          at = endOfString(json, at, until);
        }
        expect(at).toBe(string.length - 1);
      }),
    );
  });

  test.each([
    ['escaped quotes', '\\"'],
    ['backslashes', '\\\\'],
    ['letters far from a quote that is escaped', `${'x'.repeat(300)}\\"`],
  ])('is looked for in many steps, also in a string of %s', (_, part) => {
    const json = Buffer.from(`["${part.repeat(1_000_000 / part.length)}"]`);
    for (const steps of [isDeeperInSteps(json, 9), hasMoreInSteps(json, 9)])
      expect([...steps].length).toBeGreaterThan(json.length / 100_000);
  });
});
