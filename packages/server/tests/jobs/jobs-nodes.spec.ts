import { expect, inject, test } from 'vitest';
import { allResults, getJob, startBatch, untilOver } from '../support/batch-client.ts';
import { createApi } from '../support/client.ts';
import { startJobSite } from '../support/job-site.ts';
import { createDatabase } from '../support/postgres.ts';
import { eventually, startServer } from '../support/server.ts';

test('two services on one database share the pages of a job, and none is visited by both', async () => {
  const settings = {
    BROWSERD_DATABASE_URL: await createDatabase(inject('postgresUrl')),
    BROWSERD_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    BROWSERD_API_KEY: `bd_${'7'.repeat(40)}`,
    BROWSERD_MAX_BROWSERS: '4',
  };
  await using site = await startJobSite();
  await using first = await startServer(settings);
  await using second = await startServer(settings);
  const there = createApi(second.service.url, first.api.key);
  // Three pages at once are all that each has slots for.
  const held = Array.from({ length: 6 }, (_, n) => `${site.origin}/held/${n}`);
  const pages = Array.from({ length: 18 }, (_, n) => site.page(n));
  const job = await startBatch(first.api, [...held, ...pages], { concurrency: 6 });
  await eventually(
    async () => site.held(),
    (waiting) => waiting === 6,
  );
  expect((await getJob(there, job.id)).progress).toMatchObject({ running: 6, queued: 18 });
  site.letGo();
  expect(await untilOver(there, job.id)).toMatchObject({ status: 'completed', progress: { done: 24 } });
  const results = await allResults(there, job.id);
  expect(results.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 24 }, (_, n) => n),
  );
  for (const url of [...held, ...pages]) expect(site.asked.get(new URL(url).pathname)).toBe(1);

  // Cancelled by one, a job is left by the other as well.
  await using late = await startJobSite();
  const left = await startBatch(
    first.api,
    Array.from({ length: 6 }, (_, n) => `${late.origin}/held/${n}`),
    {
      concurrency: 6,
    },
  );
  await eventually(
    async () => late.held(),
    (waiting) => waiting === 6,
  );
  await there.call('POST', `/v1/jobs/${left.id}/cancel`);
  await eventually(
    async () => late.held(),
    (waiting) => waiting === 0,
  );
});
