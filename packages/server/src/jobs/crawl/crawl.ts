/**
 * Crawls and maps: pages that lead to pages. What a job knows is in its pages; what is remembered here of a job (the rules of
 * its hosts, who waits for which) is found out again by a service that was restarted.
 *
 *   a page is due ──> rules of its host ──> pace of its host ──> visit ──> where it ended ──> its links, sifted
 *                       │ disallowed           │ too soon                    │ not of the site
 *                       └──> skipped           └──> later                    └──> skipped
 */
import { ApiError } from '../../errors.ts';
import { inSteps, shareOf } from '../../kit/loop-share.ts';
import type { FirstPage, JobInWork, JobKind, PageInWork, Permission, Tools, Visited } from '../kind.ts';
import type { CreateCrawl, CreateMap, Remark } from '../schema.ts';
import { addressOf } from './address.ts';
import { CrawledSite } from './crawled-site.ts';
import { identityOf } from './identity.ts';
import { Pace, retryAfterMs } from './pace.ts';
import { type Sifted, sift } from './sift.ts';
import { sitemapPages } from './sitemaps.ts';

type Wishes = CreateCrawl | CreateMap;

/** Of a map only the links are wanted: nothing is fetched that cannot have any. */
const linksOnly = {
  format: 'text',
  mainContent: false,
  maxChars: 1,
  blockResources: ['image', 'font', 'media', 'stylesheet'],
};
const nothing: Sifted = { pages: [], remarks: [] };

class Crawls<R extends Wishes> implements JobKind<R> {
  readonly goesOn = true;
  readonly #pace: Pace;
  readonly #sites = new Map<string, CrawledSite>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  first({ url }: R): FirstPage[] {
    return [{ url, key: addressOf(url)?.key ?? url, depth: 0, source: 'start' }];
  }

  async *seeds(job: JobInWork<R>, { fetch }: Tools): AsyncGenerator<Sifted> {
    const { url, sitemap, maxDepth, maxPages: mostPages } = job.request;
    if (!sitemap || maxDepth === 0) return;
    const site = this.#siteOf(job);
    const answer = await site.rules.of(url, fetch);
    const named = 'robots' in answer ? answer.robots.sitemaps : [];
    const share = shareOf(job.projectId);
    yield* sitemapPages({ start: url, named, sieve: site, fetch, share, mostPages });
  }

  async mayVisit(job: JobInWork<R>, page: PageInWork, { fetch }: Tools): Promise<Permission> {
    if (job.request.kind === 'map' && page.jobIsFull) return 'as it is';
    const { scope, delayMs = 0 } = job.request;
    const site = this.#siteOf(job);
    const url = urlOf(page);
    // All that waits in line was found to be of the site.
    site.scope.widen(url);
    const all = scope === 'sameHost';
    let robotsDelayMs = 0;
    if (site.respects) {
      const answer = await site.rules.of(url, fetch);
      if ('againInMs' in answer) return { waitMs: answer.againInMs, all };
      if ('unknown' in answer) return { skip: unknownRules(answer.unknown) };
      if (!answer.robots.allows(url)) return { skip: disallowed(url) };
      robotsDelayMs = answer.robots.delayMs;
    }
    const { host } = new URL(url);
    const betweenMs = Math.max(delayMs, robotsDelayMs);
    const waitMs = this.#pace.take(job.projectId, host, betweenMs);
    if (waitMs === 0) return 'now';
    return all ? { waitMs, all } : { waitMs: site.lineUp(host, waitMs, betweenMs) };
  }

  async visit(job: JobInWork<R>, page: PageInWork, tools: Tools): Promise<Visited> {
    const url = urlOf(page);
    const visited = await this.#act(job, url, tools);
    const { finalUrl, statusCode, onward, retryAfter } = visited;
    if (statusCode === 429 || statusCode === 503)
      this.#pace.rest(job.projectId, new URL(url).host, retryAfterMs(retryAfter));
    const site = this.#siteOf(job);
    const final = addressOf(finalUrl ?? url, url);
    if (!final) return visited;
    if (page.source === 'start') site.scope.widen(final.url);
    if (!site.scope.holds(final.url)) return { ...visited, skip: leftSite(final.url) };
    if (!site.allows(final.url)) return { ...visited, skip: disallowed(final.url) };
    // The start is visited in any case, wherever it leads.
    if (page.source !== 'start' && !site.scope.admits(final.url))
      return { ...visited, skip: leftOut(final.url) };
    if (!onward || (statusCode ?? 0) >= 400) return { ...visited, finalKey: final.key };
    const { pages: found, remarks } = await this.#found(job, page, final.url, onward);
    return { ...visited, finalKey: identityOf(final, onward.canonical, site.scope), found, remarks };
  }

  over(jobId: string): void {
    this.#sites.delete(jobId);
  }

  async #act({ request }: JobInWork<R>, url: string, tools: Tools): Promise<Visited> {
    if (request.kind === 'crawl') return tools.act({ url });
    try {
      const { scraped: _, ...visited } = await tools.act({ url, ...linksOnly });
      return visited;
    } catch (error) {
      // A file to download has an address like a page.
      if (error instanceof ApiError && error.details?.reason === 'DOWNLOAD')
        return { finalUrl: null, statusCode: null };
      throw error;
    }
  }

  async #found(
    job: JobInWork<R>,
    page: PageInWork,
    foundOn: string,
    { links, cut, nofollow }: NonNullable<Visited['onward']>,
  ): Promise<Sifted> {
    const depth = (page.depth ?? 0) + 1;
    const site = this.#siteOf(job);
    if (depth > job.request.maxDepth || (nofollow && site.respects)) return nothing;
    // The last pages of a map lead nowhere that it would go.
    const finished = job.request.kind === 'map' && depth === job.request.maxDepth;
    const finding = { depth, foundOn, source: 'link', finished } as const;
    const { pages, remarks } = await inSteps(shareOf(job.projectId), sift(links, site, finding));
    return { pages, remarks: cut ? [...remarks, tooManyLinks(foundOn)] : remarks };
  }

  #siteOf({ id, request }: JobInWork<R>): CrawledSite {
    const known = this.#sites.get(id);
    if (known) return known;
    const site = new CrawledSite(request.url, request);
    this.#sites.set(id, site);
    return site;
  }
}

/** Crawls and maps of one service keep one pace. */
export function openCrawls(): { crawl: JobKind<CreateCrawl>; map: JobKind<CreateMap> } {
  const pace = new Pace();
  return { crawl: new Crawls<CreateCrawl>(pace), map: new Crawls<CreateMap>(pace) };
}

function urlOf({ url }: PageInWork): string {
  if (url === null) throw new Error('A page of a crawl has no address.');
  return url;
}

const disallowed = (url: string): Remark => ({
  code: 'robots_disallowed',
  message: `The robots.txt of ${new URL(url).host} disallows ${url}.`,
});

const unknownRules = (why: string): Remark => ({
  code: 'robots_unknown',
  message: `The host does not say what robots.txt allows, so it is left alone: ${why} Send \`robots: "ignore"\` if the site is yours.`,
});

const leftSite = (url: string): Remark => ({
  code: 'out_of_scope',
  message: `It leads to ${url}, which is not part of the site.`,
});

const leftOut = (url: string): Remark => ({
  code: 'out_of_scope',
  message: `It leads to ${url}, which \`include\` and \`exclude\` leave out.`,
});

const tooManyLinks = (url: string): Remark => ({
  code: 'too_many_links',
  message: `${url} has more than 10,000 links; the rest were not read.`,
});
