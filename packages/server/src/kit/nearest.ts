/** What was probably meant, for the hint in an error message: the nearest of the words that exist. */

/** How often each pair of neighbouring letters occurs in a text. */
function pairsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const plain = text.toLowerCase().replace(/[^a-z0-9\u0080-\uffff]+/g, ' ');
  for (let at = 0; at < plain.length - 1; at++) {
    const pair = plain.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

const sizeOf = (pairs: Map<string, number>): number =>
  [...pairs.values()].reduce((sum, count) => sum + count, 0);

/** The share of pairs that two texts have in common (Sørensen–Dice). */
function likeness(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0;
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0);
  const total = sizeOf(a) + sizeOf(b);
  return total === 0 ? 0 : (2 * shared) / total;
}

/** The `most` words that look most like the text, the nearest first. `essence` takes away what tells nothing apart. */
export function nearest(
  text: string,
  words: readonly string[],
  most: number,
  essence: (text: string) => string = (each) => each,
): string[] {
  const wanted = pairsOf(essence(text));
  return words
    .map((word) => ({ word, score: likeness(wanted, pairsOf(essence(word))) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ word }) => word);
}
