/** All things that a page, or a part of it, tells of: gathered once for each part that the schema names. */
import { type DataSource, dataSources } from '../data-schema.ts';
import { theBody } from '../pristine.ts';
import { definitionThings, pairThings, tableLists } from './grids.ts';
import { jsonLdThings, jsonThings } from './json-ld.ts';
import { microdataThings, rdfaThings } from './marked-up.ts';
import { headThings } from './page-head.ts';
import { another, isThing, type Supply, type Thing } from './things.ts';

const mostBelow = 2000;
const deepest = 4;

export interface Gathered {
  /** In the order of the sources. */
  things: Thing[];
  /** The rows of each table. */
  tables: Thing[][];
}

const bySource = (one: Thing, other: Thing): number =>
  dataSources.indexOf(one.source) - dataSources.indexOf(other.source);

/** Null: of the whole page. */
export function gather(root: Element | null, supply: Supply): Gathered {
  const element = root ?? theBody(document);
  const own = root
    ? []
    : [...jsonThings(another(supply)), ...jsonLdThings(another(supply)), ...headThings(another(supply))];
  if (!element) return { things: own, tables: [] };
  // Parts of a page may be many: all of them together have one supply.
  const part = (): Supply => (root ? supply : another(supply));
  const shown = [
    ...microdataThings(element, part()),
    ...rdfaThings(element, part()),
    ...pairThings(element, part()),
    ...definitionThings(element, part()),
  ];
  return { things: [...own, ...shown].sort(bySource), tables: tableLists(element, part()) };
}

/** The things and those that are part of them, from the outside in. */
export function withParts(things: readonly Thing[]): Thing[] {
  const seen = new Set<Thing>();
  let level: readonly Thing[] = things;
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    for (const thing of level) if (seen.size < mostBelow) seen.add(thing);
    level = level.flatMap(({ values }) => [...values.values()].flat().filter(isThing));
    level = level.filter((thing) => !seen.has(thing)).slice(0, mostBelow);
  }
  return [...seen];
}

export const ofSource = (things: readonly Thing[], source: DataSource): Thing[] =>
  things.filter((thing) => thing.source === source);
