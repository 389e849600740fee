/** What a page says about itself to machines. */
import { authorOf } from './author.ts';
import type { Metadata } from './inside.ts';
import {
  absolute,
  addressWithin,
  allIn,
  attributeOf,
  cutShort,
  shortAttributeOf,
  squeeze,
  textOf,
  theRoot,
} from './pristine.ts';

const mostEntries = 200;
const longestJson = 200_000;
/** Chromium gives no value that lies deeper than 1,000. */
const deepestJson = 200;

const isDeep = (value: unknown, left = deepestJson): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((each) => isDeep(each, left - 1)));

function metaTags(): Map<string, string> {
  const found = new Map<string, string>();
  for (const tag of allIn('meta[content]').slice(0, mostEntries)) {
    const name =
      shortAttributeOf(tag, 'property') ?? shortAttributeOf(tag, 'name') ?? shortAttributeOf(tag, 'itemprop');
    const content = squeeze(attributeOf(tag, 'content')).slice(0, 2000);
    if (name && content && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), content);
  }
  return found;
}

function jsonLd(): unknown[] {
  return allIn('script[type="application/ld+json"]')
    .slice(0, 20)
    .flatMap((script) => {
      const source = textOf(script) ?? '';
      try {
        if (source.length > longestJson) return [];
        const value: unknown = JSON.parse(source);
        return isDeep(value) ? [] : [value];
      } catch {
        return [];
      }
    });
}

/** The first of these that the structured data has, however deep it lies in lists and graphs. */
function inJsonLd(data: unknown, key: string, depth = 0): string | undefined {
  if (depth > 4 || typeof data !== 'object' || data === null) return undefined;
  const own = (data as Record<string, unknown>)[key];
  if (typeof own === 'string') return cutShort(own);
  const name = own && typeof own === 'object' && (Array.isArray(own) ? own[0] : own)?.name;
  if (typeof name === 'string') return cutShort(name);
  const inner = Array.isArray(data) ? data : (data as Record<string, unknown>)['@graph'];
  if (!Array.isArray(inner)) return undefined;
  for (const each of inner.slice(0, 50)) {
    const found = inJsonLd(each, key, depth + 1);
    if (found) return found;
  }
  return undefined;
}

const beginning = (tags: Map<string, string>, prefix: string): Record<string, string> =>
  Object.fromEntries(
    [...tags]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );

const linked = (selector: string): string | undefined => {
  const tag = allIn(selector)[0];
  return (tag && addressWithin(absolute(attributeOf(tag, 'href')))) || undefined;
};

export const descriptionOf = (): string => {
  const tags = metaTags();
  return tags.get('description') ?? tags.get('og:description') ?? tags.get('twitter:description') ?? '';
};

export function metadataOf(): Metadata {
  const tags = metaTags();
  const structured = jsonLd();
  const first = (...names: string[]) => names.map((name) => tags.get(name)).find(Boolean);
  const root = theRoot(document);
  return {
    canonical: linked('link[rel~=canonical]'),
    language: (root && shortAttributeOf(root, 'lang')) || first('content-language', 'og:locale'),
    author: authorOf(tags, structured),
    siteName: first('og:site_name', 'application-name'),
    publishedAt:
      first('article:published_time', 'date', 'dc.date', 'datepublished') ??
      inJsonLd(structured, 'datePublished'),
    modifiedAt: first('article:modified_time', 'last-modified') ?? inJsonLd(structured, 'dateModified'),
    image: absolute(first('og:image', 'twitter:image')) || undefined,
    icon: linked('link[rel~=icon]'),
    feeds: allIn('link[rel~=alternate][type*="rss"],link[rel~=alternate][type*="atom"]')
      .slice(0, 20)
      .map((tag) => addressWithin(absolute(attributeOf(tag, 'href'))))
      .filter(Boolean),
    meta: Object.fromEntries([...tags].filter(([name]) => !name.includes(':'))),
    openGraph: beginning(tags, 'og:'),
    twitter: beginning(tags, 'twitter:'),
    jsonLd: structured,
  };
}
