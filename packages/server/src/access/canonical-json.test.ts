import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('the order of fields does not matter, at any depth', () => {
  expect(canonicalJson({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).toBe(
    canonicalJson({ b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
  );
});

test('the order of a list matters', () => {
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test('a field that is undefined is as good as absent', () => {
  expect(canonicalJson({ a: 1, b: undefined })).toBe('{"a":1}');
});

test('whatever JSON can say comes back from its canonical form', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
