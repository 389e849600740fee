import { expect, test } from 'vitest';
import type { QuickScraped } from '../../quick/schema.ts';
import { onlyWith, onwardOf, withLinks } from './kept-page.ts';

const metadata = {
  canonical: 'https://a.test/one',
  feeds: [],
  meta: { robots: 'noindex, NOFOLLOW' },
  openGraph: {},
  twitter: {},
  jsonLd: [],
};
const links = [{ url: 'https://a.test/two', text: 'two' }];
const scraped = { title: 'one', links, metadata } as unknown as QuickScraped;

test('an answer with its lists says where the page leads', () => {
  expect(onwardOf(scraped)).toEqual({
    ...{ links: ['https://a.test/two'], cut: false, canonical: 'https://a.test/one', nofollow: true },
  });
  expect(onwardOf({})).toEqual({ links: [], cut: false, canonical: undefined, nofollow: false });
});

test('the caller gets the lists that it asked for, and no others', () => {
  expect(withLinks(['headings', 'links'])).toEqual(['headings', 'links', 'metadata']);
  expect(onlyWith(scraped, [])).toEqual({ title: 'one' });
  expect(onlyWith(scraped, ['links'])).toEqual({ title: 'one', links });
});
