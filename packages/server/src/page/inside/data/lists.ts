/**
 * Lists of things for a list of objects: under the name of the property, of its kind, repeated on the page, or the rows of a
 * table whose headings are the properties.
 */
import { dataSources, type WantedProperty } from '../data-schema.ts';
import { type Gathered, ofSource, withParts } from './gather.ts';
import { answersOf, isAsked, isNamed, lookUp } from './lookup.ts';
import { isThing, newThing, type Thing, type Value } from './things.ts';

/** A thing with only a name, where the page has a text in place of one. */
export function asThing(value: Value, from: Thing): Thing {
  if (isThing(value)) return value;
  const thing = newThing(from.source);
  const isAddress = typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
  thing.values.set(isAddress ? 'url' : 'name', [value]);
  return thing;
}

/** Half of what is wanted, and more than one if more than one is wanted: less may be a coincidence. */
const enough = (answers: number, properties: number): boolean =>
  answers >= Math.max(Math.min(2, properties), properties / 2);

function repeated(things: readonly Thing[], property: WantedProperty): Thing[] {
  const wanted = property.wanted.items;
  if (!wanted) return [];
  const groups = [...Map.groupBy(things, ({ kinds }) => kinds.join(' ')).values()].filter(
    (group) => group.length > 1,
  );
  let found: { group: Thing[]; answers: number } = { group: [], answers: 0 };
  for (const group of groups) {
    const answers = Math.max(...group.slice(0, 20).map((thing) => answersOf(thing, wanted)));
    if (answers > found.answers && enough(answers, wanted.properties.length)) found = { group, answers };
  }
  return found.group;
}

function bestTable(tables: readonly Thing[][], property: WantedProperty): Thing[] {
  const wanted = property.wanted.items;
  if (!wanted) return [];
  let found: { rows: Thing[]; answers: number } = { rows: [], answers: 0 };
  for (const rows of tables) {
    const answers = Math.max(...rows.slice(0, 20).map((row) => answersOf(row, wanted)));
    if (answers > found.answers && enough(answers, wanted.properties.length)) found = { rows, answers };
  }
  return found.rows;
}

function* ofAllSources(
  property: WantedProperty,
  about: readonly Thing[],
  around: Gathered | undefined,
): Generator<Thing[]> {
  const { items } = property.wanted;
  for (const source of dataSources) {
    for (const thing of ofSource(about, source))
      yield lookUp(thing, property).map((value) => asThing(value, thing));
    if (!around) continue;
    if (source === 'table') yield bestTable(around.tables, property);
    const all = withParts(ofSource(around.things, source));
    if (items) yield all.filter((thing) => isAsked(thing, items));
    yield all.filter((thing) => isNamed(thing, property.name));
    yield repeated(all, property);
  }
}

/** Those to try, in the order of the sources; `about` are the things that the object around it is made of. */
export const listsFor = (
  property: WantedProperty,
  about: readonly Thing[],
  around: Gathered | undefined,
): Iterable<Thing[]> => ofAllSources(property, about, around);
