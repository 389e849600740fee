import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CrawlSite, file, links, page, redirect, startCrawlSite } from '../support/crawl-site.ts';
import { type JobClient, jobClient } from '../support/job-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What a crawl finds, what counts as one page, and where it ends. */
let server: TestServer;
let site: CrawlSite;
let jobs: JobClient;

const pages = (origin: string) => ({
  '/': page('front', links('/a', '/b#part', '/b?utm_source=mail', '/a', '/by-script')),
  '/a': page('a', links('/deep/1', 'mailto:x@example.com', 'javascript:void 0', 'data:text/html,x')),
  '/b': page('b', links('/missing')),
  '/by-script':
    page('by script') +
    `<script>setTimeout(() => { const link = document.createElement('a'); link.href = '/made'; link.textContent = 'made';
      document.querySelector('main').append(link, ' ', 'text '.repeat(60)) }, 50)</script>
     <x-menu></x-menu><script>customElements.define('x-menu', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'open' }).innerHTML = '<a href="/in-shadow">menu</a>' } })</script>`,
  '/made': page('made by a script'),
  '/in-shadow': page('in a shadow root'),
  '/deep/1': page('deep 1', links('/deep/2')),
  '/deep/2': page('deep 2', links('/deep/3')),
  '/deep/3': page('deep 3'),
  // one page under many addresses
  '/same': page(
    'same',
    links('/old', '/older', '/new', '/print', '/mutual-1', '/mutual-2', '/left', '/everywhere'),
  ),
  '/old': redirect('/new'),
  '/older': redirect('/old', 301),
  '/new': page('new'),
  '/print': page('print', '', `<link rel="canonical" href="${origin}/new">`),
  '/mutual-1': page('mutual', '', '<link rel=canonical href="/mutual-2">'),
  '/mutual-2': page('mutual', '', '<link rel=canonical href="/mutual-1">'),
  '/left': redirect(origin.replace('127.0.0.1', 'elsewhere.localhost')),
  '/everywhere': page('everywhere', '', '<link rel=canonical href="/">'),
  // many
  '/many': page('many', links(...Array.from({ length: 12 }, (_, n) => `/many/${n}`))),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`/many/${n}`, page(`number ${n}`, links('/many'))]),
  ),
  '/download': file('application/zip', Buffer.from('PK')),
  '/files': page('files', links('/download', '/a')),
  '/gates': page('gates', links('/gate/1', '/gate/2')),
  '/gate/1': redirect('/private/1'),
  '/gate/2': redirect('/public/1'),
  '/private/1': page('private 1', links('/behind')),
  '/public/1': page('public 1'),
  '/behind': page('behind'),
  '/nofollow': page('nofollow', links('/a'), '<meta name="ROBOTS" content="noindex, NoFollow">'),
});

beforeAll(async () => {
  site = await startCrawlSite((origin) => ({
    ...pages(origin),
    'www.shop.localhost/': page(
      'shop',
      links('/cart', `http://blog.shop.localhost:${new URL(origin).port}/`),
    ),
    'www.shop.localhost/cart': page('cart', links(`http://other.localhost:${new URL(origin).port}/`)),
    'blog.shop.localhost/': page('blog', links('/post')),
    'blog.shop.localhost/post': page('post'),
    'shop.localhost/': redirect(`http://www.shop.localhost:${new URL(origin).port}/`),
  }));
  server = await startServer({ BROWSERD_MAX_BROWSERS: '8' });
  jobs = jobClient(server.api);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const crawl = (path: string, more: object = {}) =>
  jobs.run({ kind: 'crawl', url: site.origin + path, ...more });
/** Paths by what became of them. */
const pathsOf = (results: { url: string; status: string }[], status = 'done'): string[] =>
  results
    .filter((result) => result.status === status)
    .map(({ url }) => url.replace(site.origin, ''))
    .sort();

describe('a crawl', () => {
  test('finds what links lead to, also those that scripts make, and each page once', async () => {
    const { job, results } = await crawl('/');
    expect(job).toMatchObject({ status: 'completed', url: `${site.origin}/`, action: 'scrape', error: null });
    expect(pathsOf(results)).toEqual([
      ...['/', '/a', '/b', '/by-script', '/deep/1', '/deep/2', '/deep/3'],
      ...['/in-shadow', '/made', '/missing'],
    ]);
    expect(results.find(({ url }) => url.endsWith('/missing'))).toMatchObject({ statusCode: 404 });
    expect(results.find(({ url }) => url.endsWith('/deep/1'))).toMatchObject({
      ...{ depth: 2, foundOn: `${site.origin}/a`, source: 'link', attempts: 1 },
      scraped: { title: 'deep 1', content: expect.stringContaining('This is deep 1.') },
    });
    // What the crawl read for itself is not in what the caller gets.
    expect(results[0].scraped.links).toBeUndefined();
  });

  test('goes no deeper than it may', async () => {
    const { results } = await crawl('/a', { maxDepth: 2 });
    expect(pathsOf(results)).toEqual(['/a', '/deep/1', '/deep/2']);
    expect(pathsOf((await crawl('/a', { maxDepth: 0 })).results)).toEqual(['/a']);
  });

  test('has exactly as many pages as it may, and says that there are more', async () => {
    const { job, results } = await crawl('/many', { maxPages: 5, concurrency: 8 });
    expect(pathsOf(results).length).toBe(5);
    expect(job.progress).toMatchObject({ done: 5, failed: 0, skipped: 0, queued: 0, total: 5 });
    expect(job.remarks).toContainEqual(expect.objectContaining({ code: 'max_pages' }));
    const all = await crawl('/many', { maxPages: 13 });
    expect(pathsOf(all.results).length).toBe(13);
    expect(all.job.remarks).toEqual([]);
  });

  test('counts a page once that redirects and canonical addresses lead to', async () => {
    const { results } = await crawl('/same');
    const titles = results
      .flatMap(({ status, scraped }) => (status === 'done' ? [scraped.title] : []))
      .sort();
    expect(titles).toEqual(['everywhere', 'mutual', 'new', 'same']);
    const skipped = results.filter(({ status }) => status === 'skipped');
    expect(skipped.length).toBe(5);
    expect(skipped.map(({ error }) => error.code).sort()).toEqual([
      ...['duplicate', 'duplicate', 'duplicate', 'duplicate', 'out_of_scope'],
    ]);
    expect(skipped.every(({ scraped }) => scraped === undefined)).toBe(true);
  });

  test('keeps to the addresses that its patterns let in', async () => {
    const { results } = await crawl('/', { include: ['/deep/*', '/a'], exclude: ['*/3'] });
    expect(pathsOf(results)).toEqual(['/', '/a', '/deep/1', '/deep/2']);
  });

  test('leaves out where a redirect leads to, when its patterns do', async () => {
    const { results } = await crawl('/gates', { exclude: ['/private/*'] });
    expect(pathsOf(results)).toEqual(['/gate/2', '/gates']);
    const [left] = results.filter(({ status }: { status: string }) => status === 'skipped');
    expect(left).toMatchObject({
      url: `${site.origin}/gate/1`,
      error: { code: 'out_of_scope', message: expect.stringContaining('/private/1') },
    });
    // the start is visited wherever it leads
    expect(pathsOf((await crawl('/gate/1', { exclude: ['/private/*'] })).results)).toEqual([
      '/behind',
      '/gate/1',
    ]);
  });

  test('stays on its host, or in its domain', async () => {
    const start = `${site.at('shop')}/`;
    const host = await jobs.run({ kind: 'crawl', url: start });
    const domain = await jobs.run({ kind: 'crawl', url: start, scope: 'domain' });
    const found = ({ results }: { results: { finalUrl: string; status: string }[] }) =>
      results
        .filter(({ status }) => status === 'done')
        .map(({ finalUrl }) => finalUrl.replace(`:${site.port}`, ''))
        .sort();
    expect(found(host)).toEqual(['http://www.shop.localhost/', 'http://www.shop.localhost/cart']);
    expect(found(domain)).toEqual([
      'http://blog.shop.localhost/',
      'http://blog.shop.localhost/post',
      'http://www.shop.localhost/',
      'http://www.shop.localhost/cart',
    ]);
    expect(site.asked.some(({ host: name }) => name === 'other.localhost')).toBe(false);
  });

  test.each([
    ['screenshot', 'image/png'],
    ['pdf', 'application/pdf'],
  ])('takes a %s of each page in the visit that finds its links', async (action, mimeType) => {
    const before = site.count('/deep/2');
    const { results } = await crawl('/deep/1', { action });
    expect(pathsOf(results)).toEqual(['/deep/1', '/deep/2', '/deep/3']);
    for (const { file: made } of results)
      expect(made).toMatchObject({ id: expect.stringMatching(/^file_/), mimeType, size: expect.any(Number) });
    expect(site.count('/deep/2')).toBe(before + 1);
  });

  test('does not follow the links of a page that asks for that, unless it is told to', async () => {
    expect(pathsOf((await crawl('/nofollow')).results)).toEqual(['/nofollow']);
    const { results } = await crawl('/nofollow', { robots: 'ignore', maxDepth: 1 });
    expect(pathsOf(results)).toEqual(['/a', '/nofollow']);
  });

  test('says of an address that is no page why it has none', async () => {
    const { results } = await crawl('/files', { maxDepth: 1 });
    expect(results.find(({ url }) => url.endsWith('/download'))).toMatchObject({
      status: 'failed',
      error: { code: 'NAVIGATION_FAILED', message: expect.stringContaining('file to download') },
    });
  });
});

describe('a map', () => {
  const map = (path: string, more: object = {}) =>
    jobs.run({ kind: 'map', url: site.origin + path, ...more });

  test('has the addresses alone, also of what is no page', async () => {
    const { job, results } = await map('/files');
    expect(job).toMatchObject({ kind: 'map', action: null, status: 'completed' });
    expect(pathsOf(results)).toEqual(['/a', '/deep/1', '/deep/2', '/deep/3', '/download', '/files']);
    expect(results.every(({ scraped, file: made }) => scraped === undefined && made === undefined)).toBe(
      true,
    );
    expect(results.find(({ url }) => url.endsWith('/deep/1'))).toMatchObject({ depth: 2, source: 'link' });
  });

  test('visits no more pages when it has its addresses', async () => {
    const before = site.asked.length;
    const { job, results } = await map('/many', { maxPages: 8, concurrency: 1 });
    expect(pathsOf(results).length).toBe(8);
    expect(job.remarks).toContainEqual(expect.objectContaining({ code: 'max_pages' }));
    const visited = site.asked.slice(before).filter(({ path }) => path.startsWith('/many'));
    expect(visited.map(({ path }) => path)).toEqual(['/many']);
  });
});
