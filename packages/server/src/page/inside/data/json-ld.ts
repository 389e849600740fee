/** Things of JSON-LD, and of an address that is itself JSON. Pages write it by hand, or by templates that do not escape. */
import type { DataSource } from '../data-schema.ts';
import { plainDocument } from '../plain-document.ts';
import { allIn, textOf } from '../pristine.ts';
import { another, newThing, type Supply, spend, type Thing, tell, type Value } from './things.ts';

const mostScripts = 100;
const longestScript = 2_000_000;
const deepest = 12;

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** What templates leave around it or in its texts: comments, CDATA, a semicolon, line breaks that are not escaped. */
const mended = (source: string): string =>
  source
    .replace(/^\s*(?:\/\/\s*)?(?:<!--|<!\[CDATA\[)/, '')
    .replace(/(?:\/\/\s*)?(?:-->|\]\]>)\s*$/, '')
    .replace(/;\s*$/, '')
    .replace(/\p{Cc}/gu, ' ');

interface Reading {
  source: DataSource;
  supply: Supply;
  byId: Map<string, Node>;
}

/** Notes which node has which id, so that one that only names it can be found. */
function index(value: unknown, reading: Reading, depth: number): void {
  if (depth > deepest || !spend(reading.supply)) return;
  if (Array.isArray(value)) for (const each of value) index(each, reading, depth + 1);
  if (!isNode(value)) return;
  const id = value['@id'];
  if (typeof id === 'string' && Object.keys(value).length > 1 && !reading.byId.has(id))
    reading.byId.set(id, value);
  for (const each of Object.values(value)) if (typeof each === 'object') index(each, reading, depth + 1);
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');

function* valuesOf(value: unknown, reading: Reading, depth: number): Generator<Value> {
  if (depth > deepest || !spend(reading.supply)) return;
  if (Array.isArray(value)) for (const each of value) yield* valuesOf(each, reading, depth + 1);
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') yield value;
  else if (isNode(value)) {
    if ('@value' in value) return yield* valuesOf(value['@value'], reading, depth + 1);
    const id = value['@id'];
    const names = Object.keys(value).length === 1 && typeof id === 'string';
    const known = names ? reading.byId.get(id) : undefined;
    if (names && !known) yield id;
    else yield thingOf(known ?? value, reading, depth + 1);
  }
}

function thingOf(node: Node, reading: Reading, depth: number): Thing {
  const thing = newThing(reading.source, textsOf(node['@type'] ?? node.type));
  for (const [name, value] of Object.entries(node)) {
    if (name.startsWith('@')) continue;
    for (const each of valuesOf(value, reading, depth)) tell(thing, name, each, reading.supply);
  }
  return listed(thing);
}

/** A place in a list is the thing that stands there. */
function listed(thing: Thing): Thing {
  const [item] = thing.values.get('item') ?? [];
  if (!thing.kinds.includes('listitem') || typeof item !== 'object') return thing;
  const position = thing.values.get('position');
  if (position && !item.values.has('position')) item.values.set('position', position);
  return item;
}

/** Nodes of their own, out of lists and graphs. */
function* nodesOf(value: unknown, depth = 0): Generator<Node> {
  if (depth > deepest) return;
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each, depth + 1);
  if (!isNode(value)) return;
  if (value['@graph'] === undefined) yield value;
  else yield* nodesOf(value['@graph'], depth + 1);
}

function things(roots: unknown[], source: DataSource, supply: Supply): Thing[] {
  const reading = { source, supply, byId: new Map<string, Node>() };
  index(roots, { ...reading, supply: another(supply) }, 0);
  const found: Thing[] = [];
  for (const node of nodesOf(roots)) {
    if (!spend(supply)) break;
    found.push(thingOf(node, reading, 0));
  }
  return found;
}

export function jsonLdThings(supply: Supply): Thing[] {
  const sources = another(supply);
  const roots = allIn('script[type^="application/ld+json" i]')
    .slice(0, mostScripts)
    .flatMap((script) => {
      const source = textOf(script) ?? '';
      if (source.length > longestScript || !spend(sources, source.length)) return [];
      return [parse(source) ?? parse(mended(source))];
    });
  return things(roots, 'jsonLd', supply);
}

export function jsonThings(supply: Supply): Thing[] {
  const page = plainDocument();
  if (page?.kind !== 'json' || !spend(another(supply), page.text.length)) return [];
  return things([parse(page.text)], 'json', supply);
}
