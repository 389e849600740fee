import { expect, test } from 'vitest';
import { cookieDomains } from './cookie-domains.ts';

test('cookie domains are registrable domains, each once, at most 32', () => {
  const hosts = [
    '.www.example.co.uk',
    'a.b.example.co.uk',
    'me.github.io',
    'you.github.io',
    '127.0.0.1',
    'localhost',
  ];
  expect(cookieDomains(hosts.map((domain) => ({ domain })))).toEqual([
    '127.0.0.1',
    'example.co.uk',
    'localhost',
    'me.github.io',
    'you.github.io',
  ]);
  const many = Array.from({ length: 100 }, (_, n) => ({ domain: `host.site${n}.com` }));
  expect(cookieDomains(many)).toHaveLength(32);
});
