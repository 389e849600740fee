import { expect, test } from 'vitest';
import { Scope } from './scope.ts';
import { type Finding, type Sifted, sift } from './sift.ts';

const site = 'https://a.test';
const sieve = {
  scope: new Scope(site, { scope: 'sameHost', exclude: ['*/old*'] }),
  allows: (url: string) => !url.includes('private'),
};

function sifted(urls: string[], more: Partial<Finding> = {}): Sifted {
  const steps = sift(urls, sieve, { depth: 2, foundOn: `${site}/`, source: 'link', ...more });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test('of the links of a page its site, what the patterns let in and what is allowed remain, each once', () => {
  const { pages, remarks } = sifted([
    ...[`${site}/a`, `${site}/a#part`, `${site}/a?utm_source=x`, `${site}/old/b`, `${site}/private`],
    ...['https://b.test/', 'javascript:void 0', `${site}/c`],
  ]);
  const found = { depth: 2, foundOn: `${site}/`, source: 'link' };
  expect(pages).toEqual([
    { url: `${site}/a`, key: `${site}/a`, ...found },
    { url: `${site}/c`, key: `${site}/c`, ...found },
  ]);
  expect(remarks).toMatchObject([{ code: 'robots_disallowed' }]);
});

test('what looks endless is bounded where links lead to it, and not where a sitemap names it', () => {
  const months = [`${site}/calendar/2026/11`];
  expect(sifted(months).pages[0]?.bucket?.most).toBe(200);
  expect(sifted(months, { source: 'sitemap' }).pages[0]?.bucket).toBeUndefined();
});
