import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type CrawlAnswers,
  type CrawlSite,
  file,
  links,
  page,
  redirect,
  startCrawlSite,
  xml,
} from '../support/crawl-site.ts';
import { type JobClient, jobClient } from '../support/job-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

/** How a crawl behaves towards a site: its robots.txt, its sitemaps, its pace. Each test has a site of its own. */
let server: TestServer;
let jobs: JobClient;

beforeAll(async () => {
  server = await startServer({ BROWSERD_MAX_BROWSERS: '8' });
  jobs = jobClient(server.api);
  return () => server[Symbol.asyncDispose]();
});

let sites: CrawlSite[] = [];
afterEach(async () => {
  for (const site of sites) await site[Symbol.asyncDispose]();
  sites = [];
});
async function siteOf(answersAt: (origin: string) => CrawlAnswers): Promise<CrawlSite> {
  const site = await startCrawlSite(answersAt);
  sites.push(site);
  return site;
}

const crawl = (site: CrawlSite, more: object = {}) =>
  jobs.run({ kind: 'crawl', url: `${site.origin}/`, ...more });
const pathsOf = (site: CrawlSite, results: { url: string; status: string }[], status = 'done'): string[] =>
  results
    .filter((result) => result.status === status)
    .map(({ url }) => url.replace(site.origin, ''))
    .sort();

describe('robots.txt', () => {
  const rules = file(
    'text/plain',
    'User-agent: *\nDisallow: /\n\nUser-agent: browserd\nDisallow: /private\nDisallow: /*.pdf$\nAllow: /private/open\n',
  );
  const answers = (): CrawlAnswers => ({
    '/robots.txt': rules,
    '/': page('front', links('/a', '/private/x', '/private/open', '/list.pdf', '/hop')),
    '/a': page('a'),
    '/private/x': page('private'),
    '/private/open': page('open'),
    '/list.pdf': page('list'),
    '/hop': redirect('/private/x'),
  });

  test('is respected: what it disallows is not asked for, and that is said', async () => {
    const site = await siteOf(answers);
    const { job, results } = await crawl(site);
    expect(pathsOf(site, results)).toEqual(['/', '/a', '/private/open']);
    expect(pathsOf(site, results, 'skipped')).toEqual(['/hop']);
    expect(job.remarks.map(({ code }: { code: string }) => code)).toEqual(['robots_disallowed']);
    expect(site.count('/list.pdf')).toBe(0);
    expect(site.count('/robots.txt')).toBe(1);
  });

  test('is ignored where the caller says so', async () => {
    const site = await siteOf(answers);
    const { results } = await crawl(site, { robots: 'ignore', sitemap: false });
    expect(pathsOf(site, results)).toEqual(['/', '/a', '/list.pdf', '/private/open', '/private/x']);
    expect(site.count('/robots.txt')).toBe(0);
  });

  test('that disallows the start leaves a job without pages that says why', async () => {
    const site = await siteOf(() => ({
      '/robots.txt': file('text/plain', 'user-agent: *\ndisallow: /'),
      '/': page('front'),
    }));
    const { job, results } = await crawl(site);
    expect(job).toMatchObject({ status: 'completed', progress: { done: 0, skipped: 1 } });
    expect(results).toMatchObject([{ status: 'skipped', error: { code: 'robots_disallowed' } }]);
    expect(site.count('/')).toBe(0);
  });

  test('that a host cannot give for a moment is asked for again, before any page', async () => {
    let asked = 0;
    const site = await siteOf(() => ({
      '/robots.txt': (_, response) =>
        void response.writeHead(++asked === 1 ? 503 : 200).end('user-agent: *\ndisallow: /private'),
      '/': page('front', links('/private', '/a')),
      '/a': page('a'),
    }));
    const { results } = await crawl(site, { sitemap: false });
    expect(pathsOf(site, results)).toEqual(['/', '/a']);
    expect(site.asked.slice(0, 3).map(({ path }) => path)).toEqual(['/robots.txt', '/robots.txt', '/']);
  });

  test('of each host holds for its pages', async () => {
    const site = await siteOf((origin) => {
      const at = (name: string): string => origin.replace('127.0.0.1', `${name}.shop.localhost`);
      return {
        'a.shop.localhost/': page('a', links('/x', `${at('b')}/x`, `${at('b')}/y`)),
        'a.shop.localhost/robots.txt': file('text/plain', 'user-agent: *\ndisallow: /y'),
        'b.shop.localhost/robots.txt': file('text/plain', 'user-agent: *\ndisallow: /x'),
        '/x': page('x'),
        '/y': page('y'),
      };
    });
    const { results } = await jobs.run({ kind: 'crawl', url: `${site.at('a.shop')}/`, scope: 'domain' });
    const done = results.filter(({ status }) => status === 'done').map(({ url }) => new URL(url));
    expect(done.map(({ hostname, pathname }) => hostname[0] + pathname).sort()).toEqual(['a/', 'a/x', 'b/y']);
    expect(site.asked.some(({ host, path }) => host.startsWith('b.') && path === '/x')).toBe(false);
  });
});

describe('sitemaps', () => {
  const urlset = (...urls: string[]): string =>
    `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
  const answersAt = (origin: string): CrawlAnswers => ({
    '/robots.txt': file('text/plain', `user-agent: *\ndisallow: /no\nSitemap: ${origin}/index.xml`),
    '/index.xml': xml(
      `<sitemapindex><sitemap><loc>${origin}/one.xml.gz</loc></sitemap><sitemap><loc>/two.txt</loc></sitemap>` +
        '<sitemap><loc>http://elsewhere.example/three.xml</loc></sitemap></sitemapindex>',
    ),
    '/one.xml.gz': file('application/gzip', gzipSync(urlset(`${origin}/1`, `${origin}/2`, `${origin}/no`))),
    '/two.txt': file('text/plain', `${origin}/2\n${origin}/3?a=1&b=2\nhttp://elsewhere.example/4\n`),
    '/': page('front', links('/1')),
    '/1': page('one', links('/linked')),
    '/2': page('two'),
    '/3': page('three'),
    '/linked': page('linked'),
  });

  test('name pages that no link leads to: an index, packed ones, and lists', async () => {
    const site = await siteOf(answersAt);
    const { results } = await crawl(site);
    expect(pathsOf(site, results)).toEqual(['/', '/1', '/2', '/3?a=1&b=2', '/linked']);
    expect(results.find(({ url }) => url.endsWith('/2'))).toMatchObject({
      ...{ source: 'sitemap', foundOn: `${site.origin}/one.xml.gz`, depth: 1 },
    });
    for (const path of ['/index.xml', '/one.xml.gz', '/two.txt']) expect(site.count(path)).toBe(1);
    expect(site.count('/sitemap.xml')).toBe(0);
  });

  test('are left alone where the caller says so', async () => {
    const site = await siteOf(answersAt);
    const { results } = await crawl(site, { sitemap: false });
    expect(pathsOf(site, results)).toEqual(['/', '/1', '/linked']);
    expect(site.count('/index.xml')).toBe(0);
  });

  test('give a map most of its addresses', async () => {
    const site = await siteOf(answersAt);
    const { results } = await jobs.run({ kind: 'map', url: `${site.origin}/` });
    expect(pathsOf(site, results)).toEqual(['/', '/1', '/2', '/3?a=1&b=2', '/linked']);
  });

  test('that cannot be read are named', async () => {
    const site = await siteOf((origin) => ({
      '/robots.txt': file(
        'text/plain',
        `sitemap: ${origin}/gone.xml\nsitemap: ${origin}/page\nsitemap: ${origin}/good.xml`,
      ),
      '/page': page('not found'),
      '/good.xml': xml(urlset(`${origin}/good`)),
      '/good': page('good'),
      '/': page('front'),
    }));
    const { job, results } = await crawl(site);
    expect(pathsOf(site, results)).toEqual(['/', '/good']);
    const messages = job.remarks.map(({ message }: { message: string }) => message).join('\n');
    expect(messages).toMatch(/gone\.xml was not read: it was answered with 404/);
    expect(messages).toMatch(/\/page was read only in part \(0 addresses\)/);
  });
});

describe('the pace', () => {
  const isPage = ({ path }: { path: string }): boolean => /^\/\d?$/.test(path);
  const three = Object.fromEntries([1, 2, 3].map((n) => [`/${n}`, page(`${n}`)]));
  const front = { '/': page('front', links('/1', '/2', '/3')), ...three };
  const start = (site: CrawlSite, more: object) =>
    jobs.create({ kind: 'crawl', url: `${site.origin}/`, sitemap: false, ...more });
  const cancel = (id: string) => server.api.call('POST', `/v1/jobs/${id}/cancel`);

  test('of a host is what the caller or its robots.txt asks for', async () => {
    const minute = file('text/plain', 'user-agent: *\ncrawl-delay: 60');
    const byRobots = await siteOf(() => ({ ...front, '/robots.txt': minute }));
    const byCaller = await siteOf(() => front);
    const quick = await siteOf(() => front);
    const slow = [await start(byRobots, { delayMs: 10 }), await start(byCaller, { delayMs: 60_000 })];
    // Where a tenth of a second is enough, all is done before the others have their second page.
    expect((await crawl(quick, { delayMs: 100, sitemap: false })).job.progress.done).toBe(4);
    for (const { id } of slow)
      await eventually(
        () => jobs.results(id),
        (results) => results.length > 0,
      );
    for (const { asked } of [byRobots, byCaller]) {
      const [first, second] = asked.filter(isPage).map(({ at }) => at);
      // It is not there yet, unless this machine took longer for the other site than a minute.
      expect((second ?? Number.POSITIVE_INFINITY) - (first ?? 0)).toBeGreaterThan(30_000);
    }
    for (const { id } of slow) expect((await cancel(id)).status).toBe(200);
  });

  test('of one host does not hold up another', async () => {
    const site = await siteOf((origin) => {
      const at = (name: string): string => origin.replace('127.0.0.1', `${name}.shop.localhost`);
      return {
        ...three,
        'a.shop.localhost/robots.txt': file('text/plain', 'user-agent: *\ncrawl-delay: 60'),
        'a.shop.localhost/': page('a', links('/1', '/2', `${at('b')}/1`, `${at('b')}/2`)),
      };
    });
    const url = `${site.at('a.shop')}/`;
    const { id } = await jobs.create({ kind: 'crawl', url, scope: 'domain', sitemap: false, concurrency: 1 });
    await eventually(
      () => jobs.results(id),
      (results) => results.length === 3,
    );
    const asked = site.asked.filter(isPage).map(({ host, path }) => host[0] + path);
    expect(asked).toEqual(['a/', 'b/1', 'b/2']);
    await cancel(id);
  });

  test('rests when a host asks for it', async () => {
    let asked = 0;
    const site = await siteOf(() => ({
      '/': page('front', links('/busy')),
      '/busy': (_, response) => {
        if (++asked === 1) response.writeHead(429, { 'retry-after': '3', 'content-type': 'text/html' });
        else response.writeHead(200, { 'content-type': 'text/html' });
        response.end(page('busy'));
      },
    }));
    const { results } = await crawl(site, { sitemap: false });
    expect(results.find(({ url }) => url.endsWith('/busy'))).toMatchObject({
      ...{ status: 'done', statusCode: 200, attempts: 2 },
    });
    // Without the header it would be asked again after a second or so.
    const [first, second] = site.asked.filter(({ path }) => path === '/busy').map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(3000);
  });
});
