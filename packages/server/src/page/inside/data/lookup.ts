/** Finding what a property asks for in a thing, and the thing that answers most of an object's properties. */
import type { Wanted, WantedProperty } from '../data-schema.ts';
import { isKind, namesFor, plain } from './names.ts';
import { isThing, type Thing, type Value } from './things.ts';

/** Parts of a thing whose values readers take for its own: the price of a product stands in its offer. */
const parts = [
  'offers',
  'pricespecification',
  'aggregaterating',
  'address',
  'geo',
  'nutrition',
  'mainentity',
];
/** What every thing has: that of a part is never that of the whole. */
const general = new Set(['name', 'title', 'url', 'description', 'image', 'id', 'headline', 'link', 'text']);

/** Things that most pages of a site have: about the site, not about the page. */
const siteKinds = new Set([
  ...['website', 'organization', 'corporation', 'onlinestore', 'breadcrumblist', 'listitem'],
  ...['searchaction', 'readaction', 'entrypoint', 'imageobject', 'sitenavigationelement', 'webpageelement'],
]);

const wantedNames = ({ name, wanted }: WantedProperty): string[] => [
  ...wanted.names.map(plain),
  ...namesFor(name),
];

/** `productName` of a product is its name. */
const withoutKind = (name: string, { kinds }: Thing): string[] =>
  kinds.flatMap((kind) =>
    kind && name.startsWith(kind) && name.length > kind.length ? namesFor(name.slice(kind.length)) : [],
  );

function inside(thing: Thing, names: readonly string[], depth: number): Value[] {
  for (const name of names) {
    const found = thing.values.get(name);
    if (found) return found;
  }
  if (depth === 0 || names.some((name) => general.has(name))) return [];
  for (const part of parts)
    for (const value of thing.values.get(part) ?? []) {
      const found = isThing(value) ? inside(value, names, depth - 1) : [];
      if (found.length > 0) return found;
    }
  return [];
}

export function lookUp(thing: Thing, property: WantedProperty): Value[] {
  const names = wantedNames(property);
  const own = inside(thing, names, 2);
  if (own.length > 0) return own;
  return inside(thing, withoutKind(plain(property.name), thing), 0);
}

export const answersOf = (thing: Thing, wanted: Wanted): number =>
  wanted.properties.filter((property) => lookUp(thing, property).length > 0).length;

/** Whether the schema says which kind of thing it wants, and this is one. */
export const isAsked = (thing: Thing, { kind }: Wanted): boolean =>
  kind !== undefined && thing.kinds.some((own) => isKind(own, kind));

export const isNamed = (thing: Thing, name: string): boolean =>
  thing.kinds.some((kind) => isKind(kind, name));

/** The thing that answers most, or the one that is asked for; undefined when none answers anything. */
export function best(things: readonly Thing[], wanted: Wanted): Thing | undefined {
  const asked = things.filter((thing) => isAsked(thing, wanted));
  const able = asked.length > 0 ? asked : things;
  let found: { thing: Thing; answers: number } | undefined;
  for (const thing of able) {
    const answers = answersOf(thing, wanted);
    if (answers === 0 || (asked.length === 0 && isOfSite(thing, answers, wanted))) continue;
    if (!found || answers > found.answers) found = { thing, answers };
  }
  return found?.thing;
}

const isOfSite = ({ kinds }: Thing, answers: number, { properties }: Wanted): boolean =>
  kinds.some((kind) => siteKinds.has(kind)) && answers < Math.max(2, properties.length / 2);
