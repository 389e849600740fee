import { expect, test } from 'vitest';
import { type Address, addressOf } from './address.ts';
import { identityOf } from './identity.ts';
import { Scope } from './scope.ts';

const site = 'https://example.com';
const scope = new Scope(site, { scope: 'sameHost' });
const identity = (path: string, canonical?: string): string =>
  identityOf(addressOf(site + path) as Address, canonical, scope).slice(site.length);

test.each([
  ['/a?print=1', undefined, '/a?print=1'],
  ['/a?print=1', `${site}/a`, '/a'],
  ['/a', 'https://elsewhere.example/a', '/a'],
  ['/a', 'not an address', '/a'],
  ['/a', 'javascript:void 0', '/a'],
  ['/index.html', `${site}/`, '/'],
  ['/?ref=mail', `${site}/`, '/'],
  ['/products/7', `${site}/`, '/products/7'],
])('%s that names %s counts as %s', (path, canonical, key) => {
  expect(identity(path, canonical)).toBe(key);
});
