import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { links, page, startCrawlSite } from '../support/crawl-site.ts';
import { databases } from '../support/databases.ts';
import { jobClient } from '../support/job-client.ts';
import { createDatabase } from '../support/postgres.ts';
import { eventually, makeFolders, spawnServer } from '../support/server.ts';

/** The pages of the site; `CRAWL_PAGES=2000 npm test -- crawl-killed` shows the same of a large one. */
const count = Number(process.env.CRAWL_PAGES ?? 40);
const kills = 3;
/** Pages at once: as many as one Chromium has guests, so that each start of the service starts one. */
const concurrency = 4;
/** Each page leads to ten more, to the one before and to the front. */
const children = 10;

describe.each(databases)('with %s', (kind) => {
  test('a crawl goes on where it was when the service is killed, and has every page exactly once', {
    timeout: 300_000 + count * 2000,
  }, async ({ signal }) => {
    await using site = await startCrawlSite(() => {
      const at = (n: number): string => (n === 0 ? '/' : `/page/${n}`);
      const below = (n: number): string[] =>
        Array.from({ length: children }, (_, k) => n * children + k + 1)
          .filter((m) => m < count)
          .map(at);
      return Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          at(n),
          page(`number ${n}`, links(...below(n), at(Math.max(n - 1, 0)), '/')),
        ]),
      );
    });
    const url = kind === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
    const folders = await makeFolders({
      BROWSERD_DATABASE_URL: url,
      BROWSERD_MAX_BROWSERS: '8',
      BROWSERD_RATE_LIMIT: '100000',
    });
    let server = await spawnServer(folders.env, signal);
    // Also of a test that fails or takes too long, no service is left; the signal refuses the next start.
    onTestFinished(async () => {
      server.child.kill('SIGTERM');
      await server.exited;
      await folders[Symbol.asyncDispose]();
    });
    const job = { kind: 'crawl', url: `${site.origin}/`, maxPages: count + 10, maxDepth: 10, concurrency };
    const { id } = await jobClient(server.api).create(job);
    for (let kill = 1; kill <= kills; kill++) {
      const enough = Math.floor((count / (kills + 1)) * kill);
      await eventually(
        () => server.api.call('GET', `/v1/jobs/${id}`),
        ({ body }) => body.progress.done >= enough,
      );
      server.child.kill('SIGKILL');
      await server.exited;
      server = await spawnServer(folders.env, signal);
    }
    const client = jobClient(server.api);
    const { status, progress, remarks } = await client.ended(id);
    expect({ status, remarks }).toEqual({ status: 'completed', remarks: [] });
    expect(progress).toMatchObject({ total: count, done: count, failed: 0, skipped: 0 });
    const results = await client.results(id);
    expect(results.map(({ seq }) => seq)).toEqual(results.map((_, n) => n + 1));
    const titles = results.map(({ scraped }) => scraped.title);
    expect(titles.toSorted()).toEqual(Array.from({ length: count }, (_, n) => `number ${n}`).toSorted());
    // Only what was under way at a kill was asked for twice.
    const pages = site.asked.filter(({ path }) => path === '/' || path.startsWith('/page/'));
    expect(pages.length).toBeLessThanOrEqual(count + kills * concurrency);
  });
});
