/**
 * A page that need not be visited, because an answer of before is young enough (`maxAgeMs`), leads on all the same: its links
 * are asked for as lists of the answer, which is kept with them, and taken out where the caller did not ask for them.
 */
import type { Onward } from '../../quick/quick.ts';
import type { QuickScraped } from '../../quick/schema.ts';

type Part = 'links' | 'metadata';
const parts: readonly Part[] = ['links', 'metadata'];

export const withLinks = (include: readonly string[]): string[] => [...new Set([...include, ...parts])];

export function onwardOf({ links = [], metadata }: Pick<QuickScraped, Part>): Onward {
  const said = [metadata?.meta.robots, metadata?.meta.browserd].join(' ').toLowerCase();
  return {
    links: links.map(({ url }) => url),
    cut: false,
    canonical: metadata?.canonical,
    nofollow: /\b(?:nofollow|none)\b/.test(said),
  };
}

/** As the caller asked for it. */
export function onlyWith(scraped: QuickScraped, include: readonly string[]): QuickScraped {
  const { links, metadata, ...rest } = scraped;
  return {
    ...rest,
    ...(links && include.includes('links') && { links }),
    ...(metadata && include.includes('metadata') && { metadata }),
  };
}
