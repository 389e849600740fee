import { expect, test } from 'vitest';
import { Scope } from './scope.ts';

const start = 'https://www.example.co.uk/shop/';

test.each([
  ['https://www.example.co.uk/', true, true],
  ['http://www.example.co.uk/', true, true],
  ['https://www.example.co.uk:8443/', false, true],
  ['https://example.co.uk/', true, true],
  ['https://shop.example.co.uk/', false, true],
  ['https://cdn.deep.example.co.uk/', false, true],
  ['https://other.co.uk/', false, false],
  ['https://example.co.uk.evil.test/', false, false],
  ['https://notexample.co.uk/', false, false],
])('%s is on the same host: %s, in the same domain: %s', (url, sameHost, domain) => {
  expect(new Scope(start, { scope: 'sameHost' }).holds(url)).toBe(sameHost);
  expect(new Scope(start, { scope: 'domain' }).holds(url)).toBe(domain);
});

test('sites that share a host for many, and addresses without a name, are sites of their own', () => {
  const pages = new Scope('https://one.github.io/', { scope: 'domain' });
  expect(pages.holds('https://two.github.io/')).toBe(false);
  const numbers = new Scope('http://127.0.0.1:8000/', { scope: 'domain' });
  expect(numbers.holds('http://127.0.0.1:9000/')).toBe(true);
  expect(numbers.holds('http://127.0.0.2:8000/')).toBe(false);
  expect(new Scope('http://localhost/', { scope: 'domain' }).holds('http://a.localhost/')).toBe(false);
});

test('where the start led to is part of the site', () => {
  const scope = new Scope('http://example.com/', { scope: 'sameHost' });
  scope.widen('https://example.org/home');
  expect(scope.holds('https://example.org/a')).toBe(true);
  expect(scope.holds('http://example.com/a')).toBe(true);
});

test('patterns fit the whole address or its path, and what is excluded stays out', () => {
  const scope = new Scope(start, {
    scope: 'sameHost',
    include: ['/shop/*', 'https://*/news?*'],
    exclude: ['*/cart*', '*.pdf'],
  });
  expect(scope.admits('https://www.example.co.uk/shop/a')).toBe(true);
  expect(scope.admits('https://www.example.co.uk/news?id=1')).toBe(true);
  expect(scope.admits('https://www.example.co.uk/about')).toBe(false);
  expect(scope.admits('https://www.example.co.uk/shop/cart')).toBe(false);
  expect(scope.admits('https://www.example.co.uk/shop/list.pdf')).toBe(false);
});
