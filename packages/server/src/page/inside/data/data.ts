/**
 * Fills a schema from what the page tells machines, without a model. Runs wholly in the page: its bulk, and patterns that the
 * caller wrote, are work for its process alone.
 *
 *   selectors of the schema, then things of the page by name ──> the first value that is of the type ──> data
 */
import {
  type DataSource,
  dataSources,
  type Filled,
  type Scalar,
  type Wanted,
  type WantedProperty,
} from '../data-schema.ts';
import { BadSelector } from '../extract.ts';
import { coerce } from './coerce.ts';
import { type Gathered, gather, ofSource, withParts } from './gather.ts';
import { asThing, listsFor } from './lists.ts';
import { best, isAsked, isNamed, lookUp } from './lookup.ts';
import { matchesOf, valuesOf } from './select.ts';
import { newSupply, type Supply, spend, type Thing } from './things.ts';

const mostItems = 5000;
const mostPointers = 2000;

/** Where an object's properties are looked for. */
interface Scope {
  /** That holds it; null: the page. */
  root: Element | null;
  /** What it may be, of each source one, in their order. */
  about: Thing[];
  /** Things around it, for properties that are things of their own; undefined within a thing. */
  around?: Gathered;
}

interface Result {
  value: unknown;
  source?: DataSource;
  unfilled: string[];
  missing: string[];
  sources: [string, DataSource][];
}

const only = (value: unknown, source: DataSource): Result => ({
  value,
  source,
  unfilled: [],
  missing: [],
  sources: [],
});

const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function pageScope(root: Element | null, wanted: Wanted, supply: Supply): Scope {
  const around = gather(root, supply);
  return { root, around, about: candidates(around.things, wanted) };
}

const candidates = (things: readonly Thing[], wanted: Wanted): Thing[] =>
  dataSources.flatMap((source) => best(withParts(ofSource(things, source)), wanted) ?? []);

function fillObject(wanted: Wanted, scope: Scope, supply: Supply): Result | undefined {
  const value: Record<string, unknown> = Object.create(null);
  const result: Result = { value, unfilled: [], missing: [], sources: [] };
  let filled = 0;
  for (const property of wanted.properties) {
    const at = pointer(property.name);
    const found = spend(supply) ? fillProperty(property, scope, supply) : undefined;
    if (!found) {
      if (property.wanted.nullable) value[property.name] = null;
      result.unfilled.push(at);
      if (property.required) result.missing.push(at);
      continue;
    }
    filled++;
    value[property.name] = found.value;
    if (found.source) result.sources.push([at, found.source]);
    for (const [below, source] of found.sources) result.sources.push([at + below, source]);
    for (const below of found.unfilled) result.unfilled.push(at + below);
    for (const below of found.missing) result.missing.push(at + below);
  }
  return filled > 0 ? result : undefined;
}

function fillProperty(property: WantedProperty, scope: Scope, supply: Supply): Result | undefined {
  const { wanted } = property;
  if (wanted.type === 'object') return fillPart(property, scope, supply);
  if (wanted.type !== 'array') return fillScalar(property, scope);
  return wanted.items?.type === 'object'
    ? fillThings(property, wanted.items, scope, supply)
    : fillScalars(property, wanted.items, scope);
}

function fillScalar(property: WantedProperty, { root, about }: Scope): Result | undefined {
  const { wanted } = property;
  for (const element of matchesOf(wanted, root).slice(0, mostItems))
    for (const text of valuesOf(element, wanted)) {
      const value = coerce(text, wanted, 'selector');
      if (value !== undefined) return only(value, 'selector');
    }
  for (const thing of about)
    for (const found of lookUp(thing, property)) {
      const value = coerce(found, wanted, thing.source);
      if (value !== undefined) return only(value, thing.source);
    }
  return undefined;
}

/** Words in one text: `otters, rivers`. */
const severalIn = /^(?:keywords?|tags?)$/i;

function fillScalars(
  property: WantedProperty,
  items: Wanted | undefined,
  { root, about }: Scope,
): Result | undefined {
  const { wanted } = property;
  if (!items) return undefined;
  const named = wanted.selector === undefined ? items : wanted;
  const selected = matchesOf(named, root)
    .slice(0, mostItems)
    .flatMap((element) => firstOf(valuesOf(element, { ...items, attribute: named.attribute }), items));
  const chosen = fitting(selected, wanted);
  if (chosen) return only(chosen, 'selector');
  for (const thing of about) {
    const found = lookUp(thing, property).flatMap((value) =>
      typeof value === 'string' && severalIn.test(property.name) ? value.split(/\s*[,;]\s*/) : [value],
    );
    const values = found.flatMap((value) => coerce(value, items, thing.source) ?? []);
    const list = fitting(values, wanted);
    if (list) return only(list, thing.source);
  }
  return undefined;
}

const firstOf = (texts: string[], items: Wanted): Scalar[] => {
  for (const text of texts) {
    const value = coerce(text, items, 'selector');
    if (value !== undefined) return [value];
  }
  return [];
};

function fitting<T>(values: readonly T[], { least = 1, most = mostItems, unique }: Wanted): T[] | undefined {
  const all = unique ? [...new Set(values)] : values;
  return all.length >= Math.max(least, 1) ? all.slice(0, Math.min(most, mostItems)) : undefined;
}

function fillPart(property: WantedProperty, scope: Scope, supply: Supply): Result | undefined {
  const { wanted, name } = property;
  if (wanted.selector !== undefined) {
    const [holder] = matchesOf(wanted, scope.root);
    const held = holder && fillObject(wanted, pageScope(holder, wanted, supply), supply);
    if (held) return held;
  }
  const parts = scope.about.flatMap((thing) =>
    lookUp(thing, property)
      .slice(0, 1)
      .map((value) => asThing(value, thing)),
  );
  const own = scope.around
    ? withParts(scope.around.things).filter((thing) => isAsked(thing, wanted) || isNamed(thing, name))
    : [];
  const about = [...parts, ...candidates(own, wanted)];
  return fillObject(wanted, { root: scope.root, about }, supply);
}

function fillThings(
  property: WantedProperty,
  items: Wanted,
  scope: Scope,
  supply: Supply,
): Result | undefined {
  const { wanted } = property;
  const named = wanted.selector === undefined ? items : wanted;
  const held = matchesOf(named, scope.root)
    .slice(0, mostItems)
    .map((element) => () => fillObject(items, pageScope(element, items, supply), supply));
  const selected = fillList(held, wanted, 'selector');
  if (selected) return selected;
  for (const list of listsFor(property, scope.about, scope.around)) {
    const [first] = list;
    if (!first) continue;
    const fills = list.map((thing) => () => fillObject(items, { root: null, about: [thing] }, supply));
    const filled = fillList(fills, wanted, first.source);
    if (filled) return filled;
  }
  return undefined;
}

function fillList(
  fills: readonly (() => Result | undefined)[],
  { least = 1, most = mostItems }: Wanted,
  source: DataSource,
): Result | undefined {
  const found: Result[] = [];
  for (const fill of fills) {
    if (found.length >= most || found.length >= mostItems) break;
    const item = fill();
    if (item) found.push(item);
  }
  if (found.length < Math.max(least, 1)) return undefined;
  const below = (which: 'unfilled' | 'missing'): string[] =>
    found.flatMap((item, at) => item[which].map((place) => `/${at}${place}`)).slice(0, mostPointers);
  return {
    ...only(
      found.map(({ value }) => value),
      source,
    ),
    unfilled: below('unfilled'),
    missing: below('missing'),
  };
}

export function fill(
  wanted: Wanted,
  ms: number,
): Filled | { badSelector: { path: string[]; selector: string } } {
  const supply = newSupply(ms / 2);
  try {
    const result = fillObject(wanted, pageScope(null, wanted, supply), supply);
    const all = wanted.properties;
    if (result)
      return {
        data: result.value as Record<string, unknown>,
        unfilled: result.unfilled.slice(0, mostPointers),
        missing: result.missing.slice(0, mostPointers),
        sources: Object.fromEntries(result.sources.slice(0, mostPointers)),
      };
    return {
      data: Object.fromEntries(all.filter((each) => each.wanted.nullable).map(({ name }) => [name, null])),
      unfilled: all.map(({ name }) => pointer(name)),
      missing: all.filter(({ required }) => required).map(({ name }) => pointer(name)),
      sources: {},
    };
  } catch (error) {
    if (error instanceof BadSelector) return { badSelector: { path: error.path, selector: error.selector } };
    throw error;
  }
}
