/** Places of what was found, joined where they overlap: what is masked is masked once, and none of its letters stays. */

export class Spans {
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  get count(): number {
    return this.starts.length;
  }

  /** Ends come in their order; where one begins does not follow from that. */
  add(start: number, end: number): void {
    let from = start;
    while ((this.ends.at(-1) ?? 0) > from) {
      this.ends.pop();
      from = Math.min(from, this.starts.pop() as number);
    }
    this.starts.push(from);
    this.ends.push(end);
  }

  /** How much of the text they are. */
  get length(): number {
    return this.ends.reduce((sum, end, at) => sum + end - (this.starts[at] as number), 0);
  }
}

/** After so many of them another step begins. */
const stepSpans = 4000;

/** What several searches of one text have found. */
export function* joined(all: readonly Spans[]): Generator<undefined, Spans> {
  const [first = new Spans(), ...others] = all.filter(({ count }) => count > 0);
  let so = first;
  for (const other of others) so = yield* joinedTwo(so, other);
  return so;
}

function* joinedTwo(one: Spans, other: Spans): Generator<undefined, Spans> {
  const both = new Spans();
  let [a, b] = [0, 0];
  while (a < one.count || b < other.count) {
    const isOne = (one.ends[a] ?? Number.POSITIVE_INFINITY) <= (other.ends[b] ?? Number.POSITIVE_INFINITY);
    const from = isOne ? one : other;
    const at = isOne ? a++ : b++;
    both.add(from.starts[at] as number, from.ends[at] as number);
    if ((a + b) % stepSpans === 0) yield;
  }
  return both;
}
