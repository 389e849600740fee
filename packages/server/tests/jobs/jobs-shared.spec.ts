import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  allResults,
  getJob,
  localhost,
  options,
  postJob,
  startBatch,
  untilOver,
} from '../support/batch-client.ts';
import type { Api } from '../support/client.ts';
import { type JobSite, startJobSite } from '../support/job-site.ts';
import { makeKey } from '../support/keys.ts';
import { filesIn, processesOf } from '../support/leaks.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: Api;
let site: JobSite;
const mostBrowsers = 4;
const mostJobs = 3;

beforeAll(async () => {
  site = await startJobSite();
  server = await startServer({
    BROWSERD_MAX_BROWSERS: String(mostBrowsers),
    BROWSERD_MAX_BROWSERS_PER_PROJECT: String(mostBrowsers),
    BROWSERD_MAX_JOBS_PER_PROJECT: String(mostJobs),
    BROWSERD_STORAGE_QUOTA: '200KiB',
  });
  other = server.api.as(await makeKey(server.dataDir, { project: 'other' }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  expect(processesOf(server.scratchDir)).toEqual([]);
  expect(await filesIn(server.scratchDir)).toEqual([]);
});

const heldPages = (at: JobSite, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${at.origin}/held/${n}`);
const until = (isSo: () => boolean): Promise<boolean> => eventually(async () => isSo(), Boolean);
const scrape = (api: Api, url: string, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/scrape', { body: { url, policy: localhost }, headers });

test('a job leaves the last slots to callers who wait for an answer, and goes on when slots are free', async () => {
  await using held = await startJobSite();
  const job = await startBatch(server.api, heldPages(held, 8), { concurrency: 8 });
  await until(() => held.held() === mostBrowsers - 1);
  const answered = await scrape(server.api, site.page('between'));
  expect(answered.status).toBe(200);
  expect(held.mostHeld()).toBe(mostBrowsers - 1);
  expect((await getJob(server.api, job.id)).progress).toMatchObject({ running: mostBrowsers - 1, queued: 5 });
  held.letGo();
  expect((await untilOver(server.api, job.id)).progress).toMatchObject({ done: 8 });
  expect(held.mostHeld()).toBe(mostBrowsers - 1);
});

test('a job takes no slot while a caller waits in line for one', async () => {
  await using jobs = await startJobSite();
  await using callers = await startJobSite();
  const job = await startBatch(server.api, heldPages(jobs, 6), { concurrency: 6 });
  await until(() => jobs.held() === mostBrowsers - 1);
  const first = scrape(server.api, `${callers.origin}/held/1`);
  await until(() => callers.held() === 1);
  // All slots are taken now: these wait in line, and get what the job gives back.
  const waiting = [2, 3].map((n) => scrape(other, `${callers.origin}/held/${n}`, { prefer: 'wait=600' }));
  await eventually(
    async () => (await server.api.call('GET', '/metrics')).body,
    (text) => /^browserd_capacity_queue 2$/m.test(text),
  );
  jobs.letGo();
  await until(() => callers.held() === 3);
  callers.letGo();
  for (const answer of [first, ...waiting]) expect((await answer).status).toBe(200);
  expect((await untilOver(server.api, job.id)).progress).toMatchObject({ done: 6 });
});

test('many pages of one project do not stand before a few of another', async () => {
  await using held = await startJobSite();
  const many = await startBatch(
    server.api,
    [...heldPages(held, 3), ...Array.from({ length: 40 }, (_, n) => site.page(n))],
    {
      concurrency: 32,
    },
  );
  await until(() => held.held() === 3);
  const few = await startBatch(
    other,
    Array.from({ length: 6 }, (_, n) => site.page(`few-${n}`)),
  );
  held.letGo();
  await untilOver(other, few.id);
  const { progress } = await getJob(server.api, many.id);
  // Turn by turn, six of one are done when about as many of the other are, and not after all of them.
  expect(progress.total - progress.done).toBeGreaterThan(10);
  await server.api.call('POST', `/v1/jobs/${many.id}/cancel`);
  expect(await allResults(other, few.id)).toHaveLength(6);
});

test('two jobs of one project take turns as well', async () => {
  await using held = await startJobSite();
  const long = await startBatch(other, [
    ...heldPages(held, 3),
    ...Array.from({ length: 40 }, (_, n) => site.page(n)),
  ]);
  await until(() => held.held() === 3);
  const short = await startBatch(
    other,
    Array.from({ length: 4 }, (_, n) => site.page(`short-${n}`)),
  );
  held.letGo();
  await untilOver(other, short.id);
  const { progress } = await getJob(other, long.id);
  expect(progress.total - progress.done).toBeGreaterThan(10);
  await other.call('POST', `/v1/jobs/${long.id}/cancel`);
});

test('a project that has no room left fails its job, says so, and keeps what is done', async () => {
  const small = server.api.as(await makeKey(server.dataDir, { project: 'small' }));
  const large = Array.from({ length: 6 }, (_, n) => `${site.origin}/large/${n}`);
  const job = await startBatch(small, large, {
    concurrency: 1,
    options: { ...options, maxChars: 1_000_000 },
  });
  const over = await untilOver(small, job.id);
  expect(over).toMatchObject({
    status: 'failed',
    error: { code: 'QUOTA_EXCEEDED' },
    progress: { done: 1, failed: 1, queued: 4 },
  });
  const results = await allResults(small, job.id);
  expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
    ['done', undefined],
    ['failed', 'QUOTA_EXCEEDED'],
  ]);
  expect(site.asked.get('/large/3')).toBeUndefined();
  const { items } = (await small.call('GET', '/v1/events?type=job.failed')).body;
  expect(items[0].data).toMatchObject({ jobId: job.id, code: 'QUOTA_EXCEEDED' });
  await small.call('DELETE', `/v1/jobs/${job.id}`);
  const again = await startBatch(small, large.slice(0, 1), { options: { ...options, maxChars: 1_000_000 } });
  expect(await untilOver(small, again.id)).toMatchObject({ status: 'completed', progress: { done: 1 } });
});

test('a project has so many jobs that are not over, and what it sends counts for its quota', async () => {
  await using held = await startJobSite();
  const crowded = server.api.as(await makeKey(server.dataDir, { project: 'crowded' }));
  const body = { kind: 'batch', items: [{ url: `${held.origin}/held/1` }], options };
  const jobs = [];
  for (let n = 0; n < mostJobs; n++) jobs.push((await postJob(crowded, body)).body.id);
  const headers = { 'idempotency-key': 'one too many' };
  const refused = await postJob(crowded, body, headers);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'TOO_MANY_JOBS' } } });
  expect(refused.headers.get('retry-after')).toBe('10');
  await crowded.call('POST', `/v1/jobs/${jobs[0]}/cancel`);
  const { status, body: made } = await postJob(crowded, body, headers);
  expect(status).toBe(201);
  await crowded.call('POST', `/v1/jobs/${jobs[1]}/cancel`);
  const large = { ...body, items: [{ html: 'x'.repeat(250 * 1024) }] };
  const overQuota = await postJob(crowded, large);
  expect(overQuota).toMatchObject({ status: 413, body: { error: { code: 'QUOTA_EXCEEDED' } } });
  held.letGo();
  for (const id of [jobs[2], made.id])
    expect(await untilOver(crowded, id)).toMatchObject({ status: 'completed' });
});
