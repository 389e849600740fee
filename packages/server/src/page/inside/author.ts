/**
 * Who wrote a page, as a name: from the structured data, from the line under the title, from the head of the page, in
 * this order. Sites put handles and the addresses of profiles in the same places; those are no names.
 */
import { allIn, attributeOf, squeeze, textOf } from './pristine.ts';

interface Json {
  '@id'?: unknown;
  '@type'?: unknown;
  name?: unknown;
  author?: unknown;
}

const mostNames = 10;
const longest = 100;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function nameIn(text: string | null | undefined): string | undefined {
  const name = squeeze(text)
    .replace(/^(?:(?:written |posted |reported )?by|von|par|por|di|door|av)[\s:]+/i, '')
    .replace(/^author[\s:]+/i, '')
    .replace(/\s*[|•·–—,;(].*$/, (rest) => (/\d|@|https?:/i.test(rest) ? '' : rest))
    .replace(/[\s,;|•·]+$/, '');
  if (name.length < 2 || name.length > longest || !/\p{L}/u.test(name)) return undefined;
  // Addresses, handles, dates and sentences.
  if (/^@|:\/\/|^www\.|\S@\S|\d{2}|[.!?]\s+\p{L}+\s+\p{L}+\s+\p{L}+\s+\p{L}+/iu.test(name)) return undefined;
  return /^(?:admin|administrator|author|editor|staff|undefined|null|none|unknown)$/i.test(name)
    ? undefined
    : name;
}

/** Everything that the structured data describes, however deep it lies in lists and graphs. */
function* things(data: unknown, depth = 0): Generator<Json> {
  if (depth > 6 || !isObject(data)) return;
  if (!Array.isArray(data)) yield data;
  for (const each of Object.values(data).slice(0, 200)) yield* things(each, depth + 1);
}

function inStructured(structured: unknown[]): string | undefined {
  const all = things(structured).take(5000).toArray();
  const byId = new Map(all.filter((each) => each.name).map((each) => [each['@id'], each]));
  const named = (author: unknown): string | undefined => {
    if (typeof author === 'string') return nameIn(author);
    if (!isObject(author)) return undefined;
    const { name } = author.name === undefined ? (byId.get(author['@id']) ?? author) : author;
    return typeof name === 'string' ? nameIn(name) : undefined;
  };
  const isArticle = (each: Json) => /Article|Posting|Report|Review/.test(String(each['@type']));
  const holders = all.filter((each) => each.author !== undefined);
  for (const holder of [...holders.filter(isArticle), ...holders.filter((each) => !isArticle(each))]) {
    const authors = [holder.author].flat().slice(0, mostNames).map(named);
    const names = [...new Set(authors.filter((name) => name !== undefined))];
    if (names.length > 0) return names.join(', ');
  }
  return undefined;
}

const bylines =
  '[rel~=author],[itemprop~=author],.byline,.p-author,[class*="byline-name"],[class*="byline__name"],[class*="author-name"],[class*="author__name"],[class*="byline"],.author,#byline,#author';
/** Persons of other texts: those that comment, and those of the articles that are linked. */
const others = '[class*="comment"],[id*="comment"],[class*="related"],aside,nav,footer,li article';

/** Of a list of articles no author is the author. */
function inByline(): string | undefined {
  const lines = allIn(bylines)
    .slice(0, 50)
    .filter((line) => !Element.prototype.closest.call(line, others));
  const names = new Set<string>();
  for (const line of lines) {
    if (names.size > 3) return undefined;
    const inner = Element.prototype.querySelector.call(line, '[itemprop~=name],[rel~=author]');
    const said = attributeOf(inner ?? line, 'content') ?? textOf(inner ?? line);
    const name = squeeze(said).length <= longest ? nameIn(said) : undefined;
    if (name) names.add(name);
  }
  return names.values().next().value;
}

export function authorOf(tags: Map<string, string>, structured: unknown[]): string | undefined {
  const said = [
    'author',
    'article:author',
    'dc.creator',
    'parsely-author',
    'sailthru.author',
    'twitter:creator',
  ];
  return inStructured(structured) ?? inByline() ?? said.map((name) => nameIn(tags.get(name))).find(Boolean);
}
