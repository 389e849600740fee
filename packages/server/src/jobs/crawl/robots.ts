/**
 * What the robots.txt of a host says to this crawler (RFC 9309). The library that reads it takes time that grows with the
 * square of a hostile file, so it gets only the groups that are for us, and of their rules only as many as a real file has.
 *
 *   2xx: its rules     other 3xx, 4xx: everything is allowed     5xx, 429, no answer: nothing is allowed, and asked again
 */
import robotsParser from 'robots-parser';

/** Its types are those of a module with a default; what it exports is the function itself. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

/** The name that groups of a robots.txt address. */
const ourName = 'browserd';
/** RFC 9309 has 500 KiB read at least; what is behind that is not read. */
export const mostRobotsBytes = 512_000;
const mostRules = 5000;
const mostStars = 16;
const longestLine = 2048;
const mostSitemaps = 50;
/** A host that asks for more would stop a job for days. */
const longestCrawlDelayMs = 60_000;

export interface Robots {
  allows(url: string): boolean;
  /** Between two requests to the host. */
  delayMs: number;
  /** Addresses of sitemaps, as they are written. */
  sitemaps: readonly string[];
}

export const allAllowed: Robots = { allows: () => true, delayMs: 0, sitemaps: [] };

/** Whether an answer says nothing about the rules of the host, so that nothing is allowed until it does. */
export const isUnreachable = (statusCode: number): boolean => statusCode >= 500 || statusCode === 429;

export function robotsOf(url: string, statusCode: number, text: string): Robots {
  if (statusCode < 200 || statusCode >= 300) return allAllowed;
  const parsed = parseRobots(url, forUs(text));
  const delayMs = (parsed.getCrawlDelay(ourName) ?? 0) * 1000;
  return {
    allows: (address) => parsed.isAllowed(address, ourName) ?? true,
    delayMs: delayMs > 0 ? Math.min(delayMs, longestCrawlDelayMs) : 0,
    sitemaps: parsed.getSitemaps().slice(0, mostSitemaps),
  };
}

/** The file without the rules of other crawlers, and without what no real file has. */
function forUs(text: string): string {
  const kept: string[] = [];
  let rules = 0;
  let lastAgent: string | undefined;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line.slice(0, longestLine)) ?? [];
    const field = name.toLowerCase();
    if (field === 'user-agent') {
      const agent = agentOf(value);
      // A thousand names in a row are one group of another crawler.
      if (agent !== lastAgent || agent !== 'other') kept.push(`user-agent: ${agent}`);
      lastAgent = agent;
      continue;
    }
    if (field === '') continue;
    lastAgent = undefined;
    if (field === 'sitemap') kept.push(`sitemap: ${value.trim()}`);
    else if (isRule(field) && line.length <= longestLine && value.split('*').length <= mostStars + 1)
      if (rules++ < mostRules) kept.push(`${field}: ${value.trim()}`);
  }
  return kept.join('\n');
}

const isRule = (field: string): boolean => /^(?:allow|disallow|crawl-delay)$/.test(field);

function agentOf(value: string): string {
  const name = value.trim().toLowerCase().split('/')[0]?.trim();
  return name === ourName || name === '*' ? name : 'other';
}
