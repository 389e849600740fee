import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../tests/support/any-text.ts';
import { parseQuery } from './query.ts';

const plain = (text: string): unknown => JSON.parse(JSON.stringify(parseQuery(text)));

test.each([
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['status=ready&status=stopped&status=failed', { status: ['ready', 'stopped', 'failed'] }],
  ['metadata[team]=red&metadata[job]=a%20b', { metadata: { team: 'red', job: 'a b' } }],
  ['metadata=x&metadata[team]=red', { metadata: 'x', 'metadata[team]': 'red' }],
  ['a[b][c]=1', { 'a[b][c]': '1' }],
  ['a[]=1', { 'a[]': '1' }],
  ['a', { a: '' }],
])('%j is read as %j', (text, value) => {
  expect(plain(text)).toEqual(value);
});

test('names of prototypes are names like any other', () => {
  const values = parseQuery('__proto__[polluted]=yes&constructor=1&toString=2');
  expect(Object.getPrototypeOf(values)).toBeNull();
  expect(Object.keys(values)).toEqual(['__proto__', 'constructor', 'toString']);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.stringMatching(/^[a&=[\]%0_]*$/)), (text) => {
      expect(parseQuery(text)).toBeTypeOf('object');
    }),
  );
});
