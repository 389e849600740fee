import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CrawlSite, links, page, startCrawlSite } from '../support/crawl-site.ts';
import { type JobClient, jobClient } from '../support/job-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Jobs whose callers take answers that are already there. */
let server: TestServer;
let site: CrawlSite;
let jobs: JobClient;

beforeAll(async () => {
  site = await startCrawlSite(() => ({
    '/': page('front', links('/a', '/b')),
    '/a': page('a', links('/deep')),
    '/b': page('b'),
    '/deep': page('deep'),
  }));
  server = await startServer();
  jobs = jobClient(server.api);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const seen = (results: { url: string; fromCache: boolean }[]) =>
  Object.fromEntries(results.map(({ url, fromCache }) => [url.replace(site.origin, ''), fromCache]));
const hour = { maxAgeMs: 3_600_000 };

describe.each(['scrape', 'screenshot', 'pdf'])('a crawl that would %s pages', (action) => {
  test('goes on from answers that are kept, as from the pages themselves', async () => {
    const crawl = () => jobs.run({ kind: 'crawl', url: `${site.origin}/`, action, options: hour });
    const [first, second] = [await crawl(), await crawl()];
    expect(seen(first.results)).toEqual({ '/': false, '/a': false, '/b': false, '/deep': false });
    expect(seen(second.results)).toEqual({ '/': true, '/a': true, '/b': true, '/deep': true });
    const depths = (of: typeof first) => of.results.map(({ url, depth }) => `${depth} ${url}`).sort();
    expect(depths(second)).toEqual(depths(first));
  });
});

test('a batch gives what a quick action has kept', async () => {
  const url = `${site.origin}/b?asked=once`;
  const request = { url, policy: { privateAccess: { localhost: true } }, ...hour };
  await server.api.call('POST', '/v1/scrape', { body: request });
  const { results } = await jobs.run({ kind: 'batch', items: [request, { ...request, maxAgeMs: 0 }] });
  const byIndex = results.toSorted((a: { index: number }, b: { index: number }) => a.index - b.index);
  expect(byIndex.map(({ fromCache }: { fromCache: boolean }) => fromCache)).toEqual([true, false]);
});
