import { expect, test } from 'vitest';
import { isUnreachable, robotsOf } from './robots.ts';

const site = 'https://example.com';
const rules = (text: string, statusCode = 200) => robotsOf(`${site}/robots.txt`, statusCode, text);
const allowed = (text: string, path: string): boolean => rules(text).allows(site + path);

test('the group with our name counts, or else the one for all', () => {
  const text =
    'User-agent: *\nDisallow: /private\n\nUser-agent: Browserd/2.0\nDisallow: /only-us\nCrawl-delay: 2\n';
  expect(allowed(text, '/private')).toBe(true);
  expect(allowed(text, '/only-us/a')).toBe(false);
  expect(rules(text).delayMs).toBe(2000);
  expect(allowed('User-agent: *\nDisallow: /private', '/private/a')).toBe(false);
  expect(allowed('User-agent: otherbot\nDisallow: /', '/a')).toBe(true);
});

test('the longest rule that fits wins, with stars and an end', () => {
  const text = 'user-agent: *\ndisallow: /*.pdf$\ndisallow: /a/\nallow: /a/open\n';
  expect(allowed(text, '/x/list.pdf')).toBe(false);
  expect(allowed(text, '/x/list.pdf?page=2')).toBe(true);
  expect(allowed(text, '/a/b')).toBe(false);
  expect(allowed(text, '/a/open/b')).toBe(true);
});

test('several names share one group', () => {
  const text = 'user-agent: one\nuser-agent: two\nuser-agent: browserd\nuser-agent: three\ndisallow: /x\n';
  expect(allowed(text, '/x')).toBe(false);
  expect(allowed(text, '/y')).toBe(true);
});

test('sitemaps stand for all crawlers, wherever they are written', () => {
  const text = 'Sitemap: https://example.com/one.xml # the first\nuser-agent: x\nsitemap: /two.xml\n';
  expect(rules(text).sitemaps).toEqual(['https://example.com/one.xml', '/two.xml']);
});

test('a host without rules allows everything; one that cannot say its rules is asked again', () => {
  for (const statusCode of [404, 403, 410, 304])
    expect(rules('user-agent: *\ndisallow: /', statusCode).allows(`${site}/a`)).toBe(true);
  expect([200, 404, 429, 500, 503].map(isUnreachable)).toEqual([false, false, true, true, true]);
});

test('a delay that would stop a job is cut, and one that is none is none', () => {
  expect(rules('user-agent: *\ncrawl-delay: 86400').delayMs).toBe(60_000);
  expect(rules('user-agent: *\ncrawl-delay: soon').delayMs).toBe(0);
  expect(rules('user-agent: *\ncrawl-delay: -1').delayMs).toBe(0);
});

test('a file that is made to be slow is read, and its real rules hold', () => {
  const names = 'user-agent: a\n'.repeat(20_000);
  const slow = `disallow: /${'*a'.repeat(5000)}\n`.repeat(20);
  const text = `${names}user-agent: *\ndisallow: /private\n${slow}${'disallow: /x\n'.repeat(10_000)}`;
  const found = rules(text);
  expect(found.allows(`${site}/${'a'.repeat(2000)}`)).toBe(true);
  expect(found.allows(`${site}/private`)).toBe(false);
});
