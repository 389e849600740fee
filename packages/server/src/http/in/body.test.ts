import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findHarmful, readJson } from './body.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const refusal = (code: string) => expect.objectContaining({ code });

test('whatever JSON can say is read, if it is harmless', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
      const text = JSON.stringify(value);
      if (findHarmful(JSON.parse(text)) === undefined)
        expect(readJson(bytes(text))).toEqual(JSON.parse(text));
    }),
  );
});

test.each(['{', '{"a":}', '{"a":1}x', 'undefined', "{'a':1}", '{"a":1,}', '\u0000'])(
  '%j is not JSON',
  (text) => {
    expect(() => readJson(bytes(text))).toThrowError(refusal('INVALID_JSON'));
  },
);

test('bytes that are not UTF-8 are refused instead of replaced', () => {
  expect(() => readJson(Buffer.from('7b2261223a22ff227d', 'hex'))).toThrowError(refusal('INVALID_JSON'));
});

test('a hundred thousand values are read and one more is not, however few bytes they are', () => {
  const many = (values: number): Uint8Array => bytes(`[${'0,'.repeat(values - 2)}0]`);
  expect(readJson(many(100_000))).toHaveLength(99_999);
  expect(() => readJson(many(100_001))).toThrow(/more than 100000 values/);
});

test('64 levels are read and 65 are not', () => {
  const nested = (levels: number): Uint8Array => bytes('['.repeat(levels) + ']'.repeat(levels));
  expect(() => readJson(nested(64))).not.toThrow();
  expect(() => readJson(nested(65))).toThrowError(refusal('INVALID_JSON'));
});

test.each([
  ['{"__proto__":{"a":1}}', '__proto__'],
  ['{"\\u005f_proto__":1}', '__proto__'],
  ['{"a":[{"constructor":1}]}', 'a[0].constructor'],
  ['{"name":"a\\u0000b"}', 'name'],
  ['{"list":["ok","\\ud800"]}', 'list[1]'],
])('%s is refused and the place is named', (text, path) => {
  const named = expect.objectContaining({ issues: [expect.objectContaining({ path })] });
  expect(() => readJson(bytes(text))).toThrowError(
    expect.objectContaining({ code: 'VALIDATION_FAILED', details: named }),
  );
});

test('escaped characters that harm nobody pass', () => {
  expect(readJson(bytes('{"name":"\\u00e9\\ud83d\\ude00"}'))).toEqual({ name: 'é😀' });
});
