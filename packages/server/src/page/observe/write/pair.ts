/** Which of the entries of one level were there before. In time that grows with their number, because pages choose it. */
import type { Entry } from './entries.ts';

interface Paired {
  /** For each entry now, the place of its former self. */
  pairs: (number | undefined)[];
  /** Places of entries that are no longer there, in order. */
  gone: number[];
  /** Places of entries that stand elsewhere among the others than before. */
  moved: Set<number>;
}

/** Entries alike, in the order in which they are given out. */
class Pool {
  readonly #places = new Map<string | number, number[]>();

  add(key: string | number, place: number): void {
    const places = this.#places.get(key);
    if (places) places.push(place);
    else this.#places.set(key, [place]);
  }

  reverse(): void {
    for (const places of this.#places.values()) places.reverse();
  }

  take(key: string | number): number | undefined {
    return this.#places.get(key)?.pop();
  }
}

/** From the surest sign to the weakest. An entry that lost its reference to another one is another thing. */
const signs: ((entry: Entry) => string | number | undefined)[] = [
  ({ ref }) => ref,
  ({ ref, id }) => (ref ? undefined : id),
  ({ ref, text }) => (ref ? undefined : text),
  // The same kind of thing, which says something else now.
  ({ ref, text }) => (ref ? undefined : `:${/^[^\s":[]+/.exec(text)?.[0]}`),
];

export function pair(before: readonly Entry[], now: readonly Entry[]): Paired {
  const pairs: (number | undefined)[] = now.map(() => undefined);
  const taken = before.map(() => false);
  const couple = (at: number, from: number): void => {
    pairs[at] = from;
    taken[from] = true;
  };
  const same = (at: number, from: number): boolean =>
    at >= 0 &&
    from >= 0 &&
    before[from] !== undefined &&
    now[at] !== undefined &&
    before[from]?.id === now[at]?.id;
  let start = 0;
  for (; same(start, start); start++) couple(start, start);
  for (
    let at = now.length - 1, from = before.length - 1;
    at >= start && from >= start && same(at, from);
    at--, from--
  )
    couple(at, from);
  for (const sign of signs) {
    const pool = new Pool();
    for (const [from, entry] of before.entries()) {
      const key = taken[from] ? undefined : sign(entry);
      if (key !== undefined) pool.add(key, from);
    }
    pool.reverse();
    for (const [at, entry] of now.entries()) {
      const key = pairs[at] === undefined ? sign(entry) : undefined;
      const from = key === undefined ? undefined : pool.take(key);
      if (from !== undefined) couple(at, from);
    }
  }
  return { pairs, gone: [...before.keys()].filter((from) => !taken[from]), moved: movedIn(pairs) };
}

/** All but a longest run of pairs that kept their order. */
function movedIn(pairs: readonly (number | undefined)[]): Set<number> {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  const formerOf = (at: number): number => pairs[at] ?? -1;
  for (const [at, from] of pairs.entries()) {
    if (from === undefined) continue;
    let low = 0;
    for (let high = tails.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (formerOf(tails[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? tails[low - 1] : undefined;
    tails[low] = at;
  }
  const kept = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) kept.add(at);
  return new Set([...pairs.keys()].filter((at) => pairs[at] !== undefined && !kept.has(at)));
}
