/** Where a page leads, for a crawl: read in the visit that was made for something else, and never in the way of that. */
import type { Onward } from '../inside/inside.ts';
import { lookInto, onwardProgram, type PageSession } from '../reach/reach.ts';

export type { Onward } from '../inside/inside.ts';

/** The name by which a page may address this crawler, as robots.txt does. */
const crawler = 'browserd';
const longestMs = 10_000;

/** Undefined: the page is too busy, or leaves all the time. */
export function readOnward(page: PageSession, leftMs: number): Promise<Onward | undefined> {
  const ms = Math.min(Math.max(leftMs, 1000), longestMs);
  return lookInto(page, onwardProgram.call('onward', crawler), ms).catch(() => undefined);
}
