import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type CrawlAnswer, type CrawlSite, links, page, startCrawlSite } from '../support/crawl-site.ts';
import { type JobClient, jobClient } from '../support/job-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Crawls of a site that shows its pages to visitors with its cookie only, and sends all others to its sign-in. */
let server: TestServer;
let site: CrawlSite;
let jobs: JobClient;

const session = 'session=of-ann';

/** Each visit is told to forget its session, which none but the visit itself may hear. */
const forMembers =
  (title: string, ...paths: string[]): CrawlAnswer =>
  (request, response) => {
    if (!request.headers.cookie?.includes(session))
      return void response.writeHead(302, { location: '/sign-in' }).end();
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=none; Path=/' });
    response.end(page(title, links(...paths)));
  };

beforeAll(async () => {
  site = await startCrawlSite(() => ({
    '/': forMembers('members', '/letters', '/bills'),
    '/letters': forMembers('letters', '/letters/1'),
    '/letters/1': forMembers('the first letter'),
    '/bills': forMembers('bills', '/'),
    '/sign-in': page('sign in'),
  }));
  server = await startServer({ BROWSERD_MAX_BROWSERS: '8' });
  jobs = jobClient(server.api);
  return async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  };
});

async function savedProfile(): Promise<string> {
  const [name, value] = session.split('=');
  const cookie = { name, value, domain: '127.0.0.1', path: '/', expires: -1, sameSite: 'Lax' };
  const { status, body } = await server.api.call('POST', '/v1/profiles', {
    body: { storageState: { cookies: [{ ...cookie, httpOnly: true, secure: false }], origins: [] } },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect(status).toBe(201);
  return body.id;
}

const titlesOf = (results: { status: string; scraped?: { title: string } }[]): string[] =>
  results.flatMap(({ status, scraped }) => (status === 'done' && scraped ? [scraped.title] : [])).sort();

test('a crawl with a saved profile is signed in on every page, and changes nothing in it; without it there is only the sign-in', async () => {
  const id = await savedProfile();
  const start = { kind: 'crawl', url: `${site.origin}/` };
  const signedIn = await jobs.run({ ...start, profile: { id } });
  expect(signedIn.job).toMatchObject({ status: 'completed', progress: { done: 4, failed: 0 } });
  expect(titlesOf(signedIn.results)).toEqual(['bills', 'letters', 'members', 'the first letter']);
  expect((await server.api.call('GET', `/v1/profiles/${id}`)).body).toMatchObject({ version: 1 });
  expect(titlesOf((await jobs.run(start)).results)).toEqual(['sign in']);
});

test('a map with a saved profile has the addresses behind the sign-in', async () => {
  const start = { kind: 'map', url: `${site.origin}/` };
  const addresses = async (more: object) =>
    (await jobs.run({ ...start, ...more })).results.map(({ url }) => url.replace(site.origin, '')).sort();
  expect(await addresses({ profile: { id: await savedProfile() } })).toEqual([
    ...['/', '/bills', '/letters', '/letters/1'],
  ]);
  expect(await addresses({})).not.toContain('/letters');
});
