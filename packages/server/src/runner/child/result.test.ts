import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotSerializableError, TooLargeError, toJson } from './result.ts';

class Handle {}
const plain = (value: unknown): unknown =>
  toJson(value, (each) => (each instanceof Handle ? 'a handle' : undefined));

describe('a result', () => {
  test('that is JSON stays as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(plain(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    [undefined, null],
    [
      [1, undefined],
      [1, null],
    ],
    [{ a: undefined }, {}],
    [Number.NaN, null],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), null],
    [
      new Map<unknown, unknown>([
        ['a', 1],
        [{ b: 2 }, 2],
      ]),
      [
        ['a', 1],
        [{ b: 2 }, 2],
      ],
    ],
    [new Set([1, 'b']), [1, 'b']],
    [/a+/g, '/a+/g'],
    [Buffer.from('hi'), { $bytes: 'aGk=' }],
    [new Uint16Array([1]), { $bytes: 'AQA=' }],
    [new ArrayBuffer(1), { $bytes: 'AA==' }],
    [Object.assign(new TypeError('bad'), { code: 7 }), { name: 'TypeError', message: 'bad', code: 7 }],
    [{ a: [new Handle()] }, { a: [{ $handle: 'a handle' }] }],
    [new URL('http://a.test/'), 'http://a.test/'],
    [{ toJSON: () => ({ own: 1 }) }, { own: 1 }],
  ])('%# becomes what JSON can carry', (value, expected) => {
    expect(plain(value)).toEqual(expected);
  });

  test('the same thing in two places is no cycle', () => {
    const shared = { a: 1 };
    expect(plain([shared, shared])).toEqual([shared, shared]);
  });

  test('that cannot be carried names the place', () => {
    const loop: Record<string, unknown> = { list: [] };
    (loop.list as unknown[]).push(loop);
    expect(() => plain({ loop })).toThrow('result.loop.list[0] refers back to result.loop');
    expect(() => plain({ 'odd key': [() => 1] })).toThrow('result["odd key"][0] is a function');
    expect(() => plain([1n])).toThrow('result[0] is a BigInt');
    expect(() => plain({ p: Promise.resolve() })).toThrow('result.p is a Promise; await it first');
    expect(() => plain(Symbol('x'))).toThrow(NotSerializableError);
    expect(() =>
      plain({
        toJSON() {
          return this;
        },
      }),
    ).toThrow(NotSerializableError);
  });

  test('that is too large is given up early', () => {
    expect(() => plain(Array.from({ length: 100 }, () => 'x'.repeat(1_000_000)))).toThrow(TooLargeError);
  });

  test('keeps keys that mean something to JavaScript', () => {
    expect(JSON.stringify(plain(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
  });
});
