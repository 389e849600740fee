import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

const site = 'https://example.com';
const keyOf = (text: string): string | undefined => addressOf(text, `${site}/docs/start`)?.key;

test.each([
  ['HTTPS://Example.COM:443/a', '/a'],
  ['/a#part', '/a'],
  ['/a?', '/a'],
  ['../x/./y/../z', '/x/z'],
  ['/%7euser/%2f', '/~user/%2F'],
  ['/a?b=2&a=1', '/a?a=1&b=2'],
  ['/a?tag=2&tag=1&a=', '/a?a=&tag=2&tag=1'],
  ['/a?utm_source=mail&gclid=x&id=7', '/a?id=7'],
  ['/a;jsessionid=1A2B?PHPSESSID=abc', '/a'],
  ['/a?sid=0123456789abcdef0123', '/a'],
  ['/a?sid=7', '/a?sid=7'],
  ['https://user:word@example.com/a', '/a'],
  ['/a+b?q=x%20y', '/a+b?q=x+y'],
])('%s is the page %s', (text, key) => {
  expect(keyOf(text)).toBe(site + key);
});

test.each([
  ['/a', '/a/'],
  ['/a', '/A'],
  ['/a?x=1', '/a?x=2'],
  ['/a?tag=1&tag=2', '/a?tag=2&tag=1'],
  ['http://example.com/a', 'https://example.com/a'],
  ['https://www.example.com/', 'https://example.com/'],
  ['https://example.com:8443/', 'https://example.com/'],
  ['/a%2Fb', '/a/b'],
])('%s and %s may be different pages', (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

test.each([
  'javascript:void 0',
  'data:text/html,x',
  'file:///etc/passwd',
  'mailto:a@example.com',
  'blob:https://example.com/1',
  'http://',
  `/${'x'.repeat(2048)}`,
])('%s is no address to visit', (text) => {
  expect(addressOf(text, site)).toBeUndefined();
});

test('what is visited is what the site wrote, without fragment and credentials', () => {
  expect(addressOf('https://me:word@example.com/a?utm_source=x&b=1&a=2#top')?.url).toBe(
    'https://example.com/a?utm_source=x&b=1&a=2',
  );
});

test('the key of a key is itself', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const address = addressOf(text);
      if (address) expect(addressOf(address.key)?.key).toBe(address.key);
    }),
  );
});
