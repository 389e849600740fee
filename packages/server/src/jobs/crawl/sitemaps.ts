/**
 * What the sitemaps of a site name: those that its robots.txt names, or else `/sitemap.xml`, and those that an index among
 * them names. A site can name any number, on any host, so how many are fetched is limited, and an index leads only to its own
 * host and to the site.
 */
import { ApiError } from '../../errors.ts';
import { inSteps, type Share } from '../../kit/loop-share.ts';
import type { Remark } from '../schema.ts';
import type { FetchFile } from './host-rules.ts';
import { Scope } from './scope.ts';
import { type Sieve, type Sifted, sift } from './sift.ts';
import { readSitemap, type SitemapEntry } from './sitemap.ts';

const mostSitemaps = 100;
/** An index that names an index is against the rules, but common enough. */
const mostNested = 3;
const pagesInList = 500;
/** A piece of 32 KiB for the parser. */
const aboutMs = 1;

export interface SitemapSearch {
  start: string;
  /** Those of robots.txt. */
  named: readonly string[];
  sieve: Sieve;
  fetch: FetchFile;
  share: Share;
  /** More addresses than the job takes are not looked for. */
  mostPages: number;
}

interface Waiting {
  url: string;
  nested: number;
  /** The site has said that it is there. */
  isNamed: boolean;
}

export async function* sitemapPages(search: SitemapSearch): AsyncGenerator<Sifted> {
  const { start, named, share, sieve } = search;
  const site = new Scope(start, { scope: 'domain' });
  const known = new Set<string>();
  const waiting: Waiting[] = [];
  const expect = (text: string, base: string, nested: number, isNamed: boolean): void => {
    const url = URL.parse(text, base);
    if (!url || !/^https?:$/.test(url.protocol) || known.has(url.href)) return;
    known.add(url.href);
    waiting.push({ url: url.href, nested, isNamed });
  };
  for (const url of named) expect(url, start, 0, true);
  if (named.length === 0) expect('/sitemap.xml', start, 0, false);
  let left = search.mostPages;
  for (let fetched = 0; left >= 0; fetched++) {
    const next = waiting.shift();
    if (!next) return;
    if (fetched === mostSitemaps) {
      yield { pages: [], remarks: [tooMany] };
      return;
    }
    const { entries, remarks } = await entriesOf(next, search);
    for (const { url, isSitemap } of entries)
      if (isSitemap && next.nested < mostNested && leadsOn(site, next.url, url))
        expect(url, next.url, next.nested + 1, true);
    const urls = entries.flatMap(({ url, isSitemap }) => (isSitemap ? [] : [url]));
    const finding = { depth: 1, foundOn: next.url, source: 'sitemap' } as const;
    const sifted = await inSteps(share, sift(urls, sieve, finding));
    left -= sifted.pages.length;
    yield { pages: [], remarks: [...remarks, ...sifted.remarks] };
    for (let at = 0; at < sifted.pages.length; at += pagesInList)
      yield { pages: sifted.pages.slice(at, at + pagesInList), remarks: [] };
  }
}

function leadsOn(site: Scope, from: string, to: string): boolean {
  const url = URL.parse(to, from);
  return url !== null && (url.host === new URL(from).host || site.holds(url.href));
}

async function entriesOf(
  { url, isNamed }: Waiting,
  { fetch, share }: SitemapSearch,
): Promise<{ entries: SitemapEntry[]; remarks: Remark[] }> {
  const entries: SitemapEntry[] = [];
  const missing = (why: string): { entries: SitemapEntry[]; remarks: Remark[] } => ({
    entries,
    remarks: isNamed ? [{ code: 'sitemap_unread', message: `The sitemap ${url} was not read: ${why}` }] : [],
  });
  try {
    const { statusCode, content } = await fetch(url);
    if (statusCode < 200 || statusCode >= 300) {
      content.destroy();
      return missing(`it was answered with ${statusCode}.`);
    }
    const fault = await readSitemap(content, {
      entry: (entry) => entries.push(entry) > 0,
      turn: () => share.turn(aboutMs),
    });
    // A page that says "not found" with status 200 is no sitemap that the site has named.
    if (!fault || (entries.length === 0 && !isNamed)) return { entries, remarks: [] };
    const message = `The sitemap ${url} was read only in part (${entries.length} addresses): ${faults[fault]}.`;
    return { entries, remarks: [{ code: 'sitemap_unread', message }] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return missing(error.message);
  }
}

const faults = {
  'too many bytes': 'it has more than 50 MiB',
  'too many entries': 'it has more than 50,000 addresses',
  'no sitemap': 'it is damaged, declares entities, or is something else',
} as const;

const tooMany: Remark = {
  code: 'sitemap_unread',
  message: `The site has more than ${mostSitemaps} sitemaps; the rest were not read.`,
};
