/** What on the page comes nearest to a selector that matched nothing: a typo, another role, other words. */
import { lookInto } from './look.ts';
import type { PageSession } from './page-session.ts';
import { elementsProgram } from './programs.ts';

const mostCandidates = 3;

/** Pairs of letters that two texts share, in proportion (Sørensen–Dice). */
function likeness(a: string, b: string): number {
  const pairs = (text: string): Map<string, number> => {
    const counts = new Map<string, number>();
    const plain = text.toLowerCase().replace(/getby\w+|locator|[^a-z0-9\u0080-\uffff]+/g, ' ');
    for (let at = 0; at < plain.length - 1; at++) {
      const pair = plain.slice(at, at + 2);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    return counts;
  };
  const [left, right] = [pairs(a), pairs(b)];
  let shared = 0;
  for (const [pair, count] of left) shared += Math.min(count, right.get(pair) ?? 0);
  const total = [...left.values(), ...right.values()].reduce((sum, count) => sum + count, 0);
  return total === 0 ? 0 : (2 * shared) / total;
}

export async function nearestCandidates(page: PageSession, selector: string): Promise<string[]> {
  const things = await lookInto(page, elementsProgram.call('selectors')).catch(() => []);
  return things
    .map((thing) => ({ thing, score: likeness(selector, thing) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostCandidates)
    .map(({ thing }) => thing);
}
