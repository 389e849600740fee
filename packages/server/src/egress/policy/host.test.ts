import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HostSet, normalizeHost, parseAuthority } from './host.ts';

// Built by hand where the library's own generators take seconds to set up.
const ipV6 = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(':'));
const anything = fc
  .array(fc.oneof(fc.nat(0xff), fc.nat(0x10ffff)), { maxLength: 12 })
  .map((codes) => String.fromCodePoint(...codes));

describe('a host is normalised', () => {
  test.each([
    ['EXAMPLE.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['exam\u00adple.com', 'example.com'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['%65xample.com', 'example.com'],
    ['a_b.example', 'a_b.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7F.0.0.0x1', '127.0.0.1'],
    ['0177.0.0.01', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['１２７.０.０.１', '127.0.0.1'],
    ['①②⑦.⓪.⓪.①', '127.0.0.1'],
    ['127。0。0。1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::ffff:127.0.0.1]', '127.0.0.1'],
    ['[::FFFF:7f00:1]', '127.0.0.1'],
    ['[64:ff9b::127.0.0.1]', '64:ff9b::7f00:1'],
    ['localhost.', 'localhost'],
    ['LOCAL\u00adHOST', 'localhost'],
  ])('%s → %s', (text, host) => {
    expect(normalizeHost(text)).toBe(host);
  });
});

describe('what is no host is refused', () => {
  test.each([
    '',
    '.',
    '..',
    'a..b',
    'a b',
    'a\tb',
    'a\r\nb',
    'a\u0000b',
    'user@host',
    'host:80',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
  ])('%j', (text) => expect(normalizeHost(text)).toBeUndefined());
  test.each([
    '[::1',
    '::1]',
    '[::1%25eth0]',
    'fe80::1%eth0',
    '[fe80::1%eth0]',
    '[1.2.3.4]',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x1ffffffff',
  ])('%j', (text) => expect(normalizeHost(text)).toBeUndefined());
  test.each([
    '*.example.com',
    'a%00b',
    'a%2fb',
    'a%40b',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    'x'.repeat(2000),
  ])('%j', (text) => expect(normalizeHost(text)).toBeUndefined());
});

test('normalising twice is normalising once', () => {
  const text = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV4Extended(), ipV6, fc.string(), anything);
  fc.assert(
    fc.property(text, (written) => {
      const host = normalizeHost(written);
      if (host !== undefined) expect(normalizeHost(host)).toBe(host);
    }),
  );
});

test('a host never carries a second one', () => {
  fc.assert(
    fc.property(anything, (text) => {
      expect(normalizeHost(text) ?? 'none').toMatch(/^[a-z0-9._:-]+$/);
    }),
  );
});

test.each([
  ['example.com:8080', { host: 'example.com', port: 8080 }],
  ['example.com', { host: 'example.com' }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['example.com:', undefined],
  ['example.com:0', undefined],
  ['example.com:65536', undefined],
  ['example.com:080000', undefined],
  ['example.com:80:90', undefined],
  ['example.com:8x', undefined],
  ['::1:80', undefined],
  [':80', undefined],
])('the authority %s is read as %j', (text, place) => {
  expect(parseAuthority(text)).toEqual(place);
});

describe('a set of hosts', () => {
  const set = new HostSet(['example.com', '10.0.0.1', '::1']);

  test.each(['example.com', 'www.example.com', 'a.b.example.com', '10.0.0.1', '::1'])('covers %s', (host) => {
    expect(set.covers(host)).toBe(true);
  });

  test.each(['badexample.com', 'example.com.evil.org', 'com', 'example', '0.0.1', '10.0.0.10'])(
    'does not cover %s',
    (host) => expect(set.covers(host)).toBe(false),
  );

  test('covers every subdomain and no sibling', () => {
    fc.assert(
      fc.property(fc.domain(), fc.stringMatching(/^[a-z0-9]{1,10}$/), (domain, extra) => {
        const one = new HostSet([domain]);
        expect(one.covers(`${extra}.${domain}`)).toBe(true);
        expect(one.covers(`${extra}${domain}`)).toBe(false);
      }),
    );
  });
});
