/** Things that attributes mark in the page itself: microdata and RDFa Lite, which differ in the names of the attributes. */
import type { DataSource } from '../data-schema.ts';
import { absolute, allBelow, attributeOf, fits, squeeze, tagOf, textOf } from '../pristine.ts';
import { newThing, type Supply, spend, type Thing, tell } from './things.ts';

interface Marks {
  source: DataSource;
  thing: string;
  kind: string;
  property: string;
}

const microdata: Marks = { source: 'microdata', thing: 'itemscope', kind: 'itemtype', property: 'itemprop' };
const rdfa: Marks = { source: 'rdfa', thing: 'typeof', kind: 'typeof', property: 'property' };

const deepest = 8;
const mostOfThing = 2000;

const addresses: Record<string, string> = {
  ...{ a: 'href', area: 'href', link: 'href', img: 'src', audio: 'src', video: 'src', source: 'src' },
  ...{ embed: 'src', iframe: 'src', track: 'src', object: 'data' },
};

/** What an element says to machines; undefined where it has nothing but its text. */
export function machineValue(element: Element): string | undefined {
  const content = attributeOf(element, 'content');
  if (content !== null) return content;
  const tag = tagOf(element);
  const address = addresses[tag];
  if (address !== undefined) return absolute(attributeOf(element, address)) || undefined;
  if (tag === 'time') return attributeOf(element, 'datetime') ?? undefined;
  return tag === 'data' || tag === 'meter' ? (attributeOf(element, 'value') ?? undefined) : undefined;
}

const words = (text: string | null): string[] => squeeze(text).split(' ').filter(Boolean);

/** The nearest thing around an element, not itself. */
const around = (element: Element, { thing }: Marks): Element | null =>
  element.parentElement && Element.prototype.closest.call(element.parentElement, `[${thing}]`);

function thingOf(element: Element, marks: Marks, supply: Supply, depth: number): Thing {
  const thing = newThing(marks.source, words(attributeOf(element, marks.kind)));
  for (const part of allBelow(element, `[${marks.property}]`).slice(0, mostOfThing)) {
    if (around(part, marks) !== element) continue;
    if (!spend(supply)) break;
    const isThing = fits(part, `[${marks.thing}]`);
    if (isThing && depth >= deepest) continue;
    const value = isThing
      ? thingOf(part, marks, supply, depth + 1)
      : (machineValue(part) ?? squeeze(textOf(part)));
    for (const name of words(attributeOf(part, marks.property))) tell(thing, name, value, supply);
  }
  return thing;
}

/** Those in the element that are not part of another there; the element itself may be one. */
function outermost(root: Element, marks: Marks): Element[] {
  const all = [...(fits(root, `[${marks.thing}]`) ? [root] : []), ...allBelow(root, `[${marks.thing}]`)];
  const inside = new Set(all);
  return all.filter((element) => {
    const outer = around(element, marks);
    return !fits(element, `[${marks.property}]`) || !outer || !inside.has(outer);
  });
}

const thingsBy =
  (marks: Marks) =>
  (root: Element, supply: Supply): Thing[] =>
    outermost(root, marks)
      .slice(0, mostOfThing)
      .map((element) => thingOf(element, marks, supply, 0));

export const microdataThings = thingsBy(microdata);
export const rdfaThings = thingsBy(rdfa);
