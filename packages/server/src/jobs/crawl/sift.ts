/**
 * Which of the addresses on a page are pages of the crawl. A page may have ten thousand links and patterns may be many, so this
 * is done in steps, within the project's share of the loop.
 */
import type { NewPage, PageSource } from '../kind.ts';
import type { Remark } from '../schema.ts';
import { addressOf } from './address.ts';
import type { Scope } from './scope.ts';
import { trapOf } from './traps.ts';

export interface Sieve {
  scope: Scope;
  /** What robots.txt says, as far as it is known. */
  allows(url: string): boolean;
}

export interface Finding {
  depth: number;
  /** Where they were found. */
  foundOn: string;
  source: PageSource;
  /** Only their addresses are wanted: they are not visited. */
  finished?: boolean;
}

export interface Sifted {
  pages: NewPage[];
  remarks: Remark[];
}

const linksInStep = 50;

export function* sift(
  urls: readonly string[],
  sieve: Sieve,
  { depth, foundOn, source, finished }: Finding,
): Generator<undefined, Sifted> {
  const pages = new Map<string, NewPage>();
  const disallowed = new Set<string>();
  for (const [n, text] of urls.entries()) {
    if (n % linksInStep === 0) yield;
    const address = addressOf(text);
    if (!address || pages.has(address.key)) continue;
    const { url, key } = address;
    if (!sieve.scope.holds(url) || !sieve.scope.admits(url)) continue;
    if (!sieve.allows(url)) {
      disallowed.add(new URL(url).host);
      continue;
    }
    // What a site lists in its sitemap is no accident of its links.
    const bucket = source === 'link' ? trapOf(url) : undefined;
    pages.set(key, {
      url,
      key,
      depth,
      foundOn,
      source,
      ...(bucket && { bucket }),
      ...(finished && { finished }),
    });
  }
  return { pages: [...pages.values()], remarks: [...disallowed].map(disallowedOn) };
}

const disallowedOn = (host: string): Remark => ({
  code: 'robots_disallowed',
  message: `The robots.txt of ${host} disallows some of the addresses that were found; they are left out.`,
});
