import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CrawlSite, file, links, page, redirect, startCrawlSite, xml } from '../support/crawl-site.ts';
import { type JobClient, jobClient } from '../support/job-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Sites that mean a crawler harm, or only seem endless. */
let server: TestServer;
let site: CrawlSite;
let jobs: JobClient;

const many = (count: number, href: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `<a href="${href(n)}"></a>`).join('');

const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">${Array.from(
  { length: 20 },
  (_, n) => `<!ENTITY ${'b'.repeat(n + 1)} "${`&${'b'.repeat(n) || 'a'};`.repeat(10)}">`,
).join('')}]><urlset><url><loc>&${'b'.repeat(20)};</loc></url></urlset>`;

/** Ten megabytes of addresses. */
const huge = (origin: string): string =>
  `<urlset>${Array.from({ length: 49_000 }, (_, n) => `<url><loc>${origin}/huge/${n}?${'x'.repeat(170)}</loc></url>`).join('')}</urlset>`;

beforeAll(async () => {
  site = await startCrawlSite((origin) => ({
    'bomb.localhost/robots.txt': file(
      'text/plain',
      `sitemap: ${origin.replace('127.0.0.1', 'bomb.localhost')}/bomb.xml`,
    ),
    'bomb.localhost/': page('bomb'),
    '/bomb.xml': file('application/xml', bomb),
    'huge.localhost/robots.txt': file(
      'text/plain',
      `sitemap: ${origin.replace('127.0.0.1', 'huge.localhost')}/huge.xml`,
    ),
    'huge.localhost/': page('huge'),
    '/huge.xml': xml(huge(origin.replace('127.0.0.1', 'huge.localhost'))),
    ...Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`huge.localhost/huge/${n}`, page(`huge ${n}`)]),
    ),
    'endless.localhost/robots.txt': (_, response) => {
      const more = (): void => {
        while (response.write('disallow: /x\n'.repeat(5000)));
        response.once('drain', more);
      };
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.on('error', () => undefined);
      response.write('user-agent: *\ndisallow: /private\n');
      more();
    },
    'endless.localhost/': page('endless', links('/private', '/open')),
    'endless.localhost/open': page('open'),
    '/links': page(
      'links',
      many(100_000, (n) => `/links/${n}`),
    ),
    '/bad-links': page(
      'bad links',
      links(
        ...[
          'javascript:alert(1)',
          'data:text/html,x',
          'file:///etc/passwd',
          'blob:x',
          'ftp://a.test/',
          'http://',
        ],
        ...[
          'http://[::1',
          'view-source:http://a.test',
          'chrome://settings',
          '//',
          `/${'x'.repeat(5000)}`,
          '/fine',
        ],
      ),
    ),
    '/fine': page('fine'),
    '/loop': page('loop', links('/loop/a')),
    '/loop/a': redirect('/loop/b'),
    '/loop/b': redirect('/loop/a'),
    '/loop/self': page('self', '', '<meta http-equiv=refresh content="0;url=/loop/self">'),
    '/calendar': page(
      'calendar',
      many(300, (n) => `/months/${2000 + Math.floor(n / 12)}/${(n % 12) + 1}`) + links('/fine'),
    ),
    '/private': page('private', links('http://10.0.0.1/secret', 'http://169.254.169.254/latest')),
    '/metadata': redirect('http://169.254.169.254/latest/meta-data'),
  }));
  server = await startServer({ BROWSERD_MAX_BROWSERS: '8' });
  jobs = jobClient(server.api);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const crawl = (path: string, more: object = {}) =>
  jobs.run({ kind: 'crawl', url: site.origin + path, sitemap: false, ...more });
const codes = ({ remarks }: { remarks: { code: string }[] }): string[] => remarks.map(({ code }) => code);

test('a sitemap with a bomb of entities is left, and said so', async () => {
  const { job, results } = await jobs.run({ kind: 'crawl', url: `${site.at('bomb')}/` });
  expect(results.map(({ status }) => status)).toEqual(['done']);
  expect(codes(job)).toEqual(['sitemap_unread']);
});

test('a sitemap of ten megabytes fills the job and no more', async () => {
  const { job } = await jobs.run({ kind: 'crawl', url: `${site.at('huge')}/`, maxPages: 5 });
  expect(job.progress).toMatchObject({ total: 5, done: 5 });
  expect(codes(job)).toEqual(['max_pages']);
});

test('a robots.txt without end is read as far as its rules may reach', async () => {
  const { results } = await jobs.run({ kind: 'crawl', url: `${site.at('endless')}/`, sitemap: false });
  expect(results.map(({ url }) => new URL(url).pathname).sort()).toEqual(['/', '/open']);
});

test('a page with a hundred thousand links is read as far as that makes sense', async () => {
  const { job } = await crawl('/links', { maxPages: 3 });
  expect(job.progress).toMatchObject({ total: 3, done: 3 });
  expect(codes(job).toSorted()).toEqual(['max_pages', 'too_many_links']);
});

test('links that lead nowhere are no pages', async () => {
  const { results } = await crawl('/bad-links');
  expect(results.map(({ url }) => new URL(url).pathname)).toEqual(['/bad-links', '/fine']);
});

test('redirects in a circle, and a page that always leaves, end', async () => {
  const [circle, leaving] = await Promise.all([
    crawl('/loop', { retries: 0 }),
    // Only its deadline ends it, with what was there then or with nothing.
    crawl('/loop/self', { retries: 0, options: { timeoutMs: 5000 } }),
  ]);
  expect([circle.job.status, leaving.job.status]).toEqual(['completed', 'completed']);
  const ends = Object.fromEntries(circle.results.map(({ url, status }) => [new URL(url).pathname, status]));
  expect(ends).toEqual({ '/loop': 'done', '/loop/a': 'failed' });
  expect(leaving.results).toHaveLength(1);
});

test('private addresses stay closed to a crawl, also by a redirect or as the whole site', async () => {
  const { results } = await crawl('/metadata', { retries: 0 });
  expect(results).toMatchObject([{ status: 'failed', finalUrl: null }]);
  const start = await jobs.run({ kind: 'crawl', url: 'http://10.0.0.1/', retries: 0 });
  expect(start.results).toMatchObject([{ status: 'failed', error: { code: 'POLICY_BLOCKED' } }]);
});

test('a calendar without end is bounded, and the job says so', async () => {
  const { job, results } = await jobs.run({
    kind: 'map',
    url: `${site.origin}/calendar`,
    sitemap: false,
    maxDepth: 1,
  });
  expect(job.progress).toMatchObject({ total: 202, done: 202 });
  expect(results.map(({ url }) => url)).toContain(`${site.origin}/fine`);
  const form = `127.0.0.1:${site.port}/months/*/*`;
  expect(job.remarks).toEqual([
    { code: 'trap_calendar', message: expect.stringContaining(`${form} only 200`) },
  ]);
});
