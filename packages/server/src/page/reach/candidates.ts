/** What on the page comes nearest to a selector that matched nothing: a typo, another role, other words. */
import { nearest } from '../../kit/nearest.ts';
import { lookInto } from './look.ts';
import type { PageSession } from './page-session.ts';
import { elementsProgram } from './programs.ts';

const mostCandidates = 3;

/** Words of the selector language are in all of them and say nothing. */
const wordsOf = (selector: string): string => selector.replace(/getby\w+|locator/gi, ' ');

export async function nearestCandidates(page: PageSession, selector: string): Promise<string[]> {
  const things = await lookInto(page, elementsProgram.call('selectors')).catch(() => []);
  return nearest(selector, things, mostCandidates, wordsOf);
}
