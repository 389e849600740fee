/**
 * What a page tells machines, from whichever source, in one shape: a thing of some kinds with named values. A page decides how
 * much there is of it, so all of it comes out of one budget.
 */
import type { DataSource, Scalar } from '../data-schema.ts';
import { squeeze } from '../pristine.ts';
import { plain } from './names.ts';

export type Value = Scalar | Thing;

export interface Thing {
  source: DataSource;
  kinds: string[];
  /** By names as `plain` writes them. */
  values: Map<string, Value[]>;
}

const mostValuesOfName = 5000;
const mostNamesOfThing = 500;
const longestText = 100_000;

export interface Supply {
  values: number;
  chars: number;
  readonly deadline: number;
}

const full = { values: 100_000, chars: 8_000_000 };

export const newSupply = (ms: number): Supply => ({ ...full, deadline: performance.now() + ms });

/** As much again within the same time, so that one source does not leave the others without. */
export const another = ({ deadline }: Supply): Supply => ({ ...full, deadline });

/** Takes a value from the supply; false when there is none left. */
export function spend(supply: Supply, chars = 0): boolean {
  supply.values--;
  supply.chars -= chars;
  if (supply.values % 512 === 0 && performance.now() > supply.deadline) supply.values = 0;
  return supply.values > 0 && supply.chars > 0;
}

export const newThing = (source: DataSource, kinds: string[] = []): Thing => ({
  source,
  kinds: kinds.slice(0, 20).map((kind) => plain(kind.replace(/^.*[/#:]/, ''))),
  values: new Map(),
});

export function tell(thing: Thing, name: string, value: Value, supply: Supply): void {
  const key = plain(name);
  const text = typeof value === 'string' ? squeeze(value).slice(0, longestText) : value;
  if (!key || text === '') return;
  if (!spend(supply, typeof text === 'string' ? text.length : 0)) return;
  const known = thing.values.get(key);
  if (known) {
    if (known.length < mostValuesOfName) known.push(text);
  } else if (thing.values.size < mostNamesOfThing) thing.values.set(key, [text]);
}

export const isThing = (value: Value): value is Thing => typeof value === 'object';
