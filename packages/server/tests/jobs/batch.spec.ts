import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobResult } from '../../src/jobs/schema.ts';
import {
  allResults,
  getJob,
  localhost,
  options,
  postJob,
  startBatch,
  untilOver,
} from '../support/batch-client.ts';
import { followEvents } from '../support/event-client.ts';
import { type JobSite, startJobSite } from '../support/job-site.ts';
import { makeKey } from '../support/keys.ts';
import { filesIn, processesOf } from '../support/leaks.ts';
import { startReceiver, settings as webhookSettings } from '../support/receiver.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: JobSite;

beforeAll(async () => {
  site = await startJobSite();
  server = await startServer({ BROWSERD_MAX_BROWSERS: '6', ...webhookSettings });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  expect(processesOf(server.scratchDir)).toEqual([]);
  expect(await filesIn(server.scratchDir)).toEqual([]);
});

const blobs = (): Promise<string[]> => readdir(join(server.dataDir, 'blobs'), { recursive: true });
const pages = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => site.page(from + n));

describe('a batch', () => {
  test('visits each of its pages once, and keeps what was read', async () => {
    const job = await startBatch(server.api, pages(0, 12), { name: 'twelve' });
    expect(job).toMatchObject({ kind: 'batch', action: 'scrape', name: 'twelve', url: null });
    const over = await untilOver(server.api, job.id);
    expect(over).toMatchObject({
      status: 'completed',
      progress: { queued: 0, running: 0, done: 12, failed: 0, skipped: 0, total: 12, etaMs: null },
      error: null,
      remarks: [],
    });
    expect(over.expiresAt).not.toBeNull();
    const results = await allResults(server.api, job.id);
    expect(results.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    expect(results.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, n) => n),
    );
    for (const { index, url, scraped, status, attempts, statusCode, finalUrl } of results) {
      expect({ url, status, attempts, statusCode, finalUrl }).toEqual({
        url: site.page(index),
        status: 'done',
        attempts: 1,
        statusCode: 200,
        finalUrl: site.page(index),
      });
      expect(scraped?.content).toContain(`the text of /page/${index},`);
    }
    for (let n = 0; n < 12; n++) expect(site.asked.get(`/page/${n}`)).toBe(1);
  });

  test('takes fields for each page over those for all, and pages as HTML', async () => {
    const { body: job } = await postJob(server.api, {
      kind: 'batch',
      options: { ...options, format: 'text' },
      items: [
        { url: site.page('a'), format: 'html' },
        { html: '<title>own</title><h1>My own page</h1><p>It was sent along with the job.</p>' },
      ],
    });
    await untilOver(server.api, job.id);
    const results = await allResults(server.api, job.id);
    const [first, second] = results.toSorted((a, b) => a.index - b.index);
    expect(first?.scraped).toMatchObject({ format: 'html', content: expect.stringContaining('<p>') });
    expect(second).toMatchObject({ url: null, scraped: { format: 'text', title: 'own' } });
  });

  test('makes files of the project of pictures and PDFs, which go with the job', async () => {
    const of = async (action: string): Promise<JobResult[]> => {
      const job = await startBatch(server.api, pages(0, 2), { action });
      expect((await untilOver(server.api, job.id)).progress.done).toBe(2);
      return allResults(server.api, job.id);
    };
    const [pictures, prints] = [await of('screenshot'), await of('pdf')];
    expect(pictures.map(({ file }) => file?.mimeType)).toEqual(['image/png', 'image/png']);
    expect(prints.map(({ file }) => file?.mimeType)).toEqual(['application/pdf', 'application/pdf']);
    expect(new Set(pictures.map(({ file }) => file?.name))).toEqual(new Set(['00001.png', '00002.png']));
    for (const { file, scraped } of [...pictures, ...prints]) {
      expect(file?.size).toBeGreaterThan(500);
      const { status, headers } = await server.api.call('GET', `/v1/files/${file?.id}/content`);
      expect([status, headers.get('content-type')]).toEqual([200, file?.mimeType]);
      expect(scraped).toBeUndefined();
    }
  });

  test('tells each fault by its place, before anything is begun', async () => {
    const faults = async (body: object): Promise<unknown> => {
      const answer = await postJob(server.api, { kind: 'batch', ...body });
      expect(answer.status).toBe(400);
      return answer.body.error.details.issues.map(({ path }: { path: string }) => path);
    };
    const items = pages(0, 20).map((url) => ({ url }));
    expect(await faults({ items: items.with(17, { url: 'not an address' }) })).toEqual(['items[17].url']);
    expect(
      await faults({ items: items.with(3, { url: 'https://example.com/', fullPage: true } as never) }),
    ).toEqual(['items[3].fullPage']);
    expect(await faults({ items: [{}] })).toEqual(['items[0].url']);
    expect(await faults({ items, options: { timeoutMs: -1 } })).toEqual(['options.timeoutMs']);
    expect(await faults({ items: [] })).toEqual(['items']);
    expect(await faults({ items, action: 'screenshot', options: { selectors: ['a'] } })).toEqual([
      'options.selectors',
    ]);
    expect(await faults({ items, concurrency: 33 })).toEqual(['concurrency']);
    expect(await faults({ items, webhook: { url: 'ftp://example.com' } })).toEqual(['webhook.url']);
  });

  test('is made once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the same batch' };
    const body = { kind: 'batch', items: [{ url: site.page('once') }], options };
    const [first, second] = [
      await postJob(server.api, body, headers),
      await postJob(server.api, body, headers),
    ];
    expect(second.body.id).toBe(first.body.id);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    await untilOver(server.api, first.body.id);
    expect(site.asked.get('/page/once')).toBe(1);
  });

  test('tries again what can pass, and not what cannot', async () => {
    const urls = ['/broken-once/1', '/busy-once/1', '/broken-always/1', '/page/refused'].map(
      (path) => site.origin + path,
    );
    const items = urls.map((url) => ({ url, ...(url.endsWith('refused') && { policy: {} }) }));
    const { body: job } = await postJob(server.api, { kind: 'batch', items, options, retries: 1 });
    const over = await untilOver(server.api, job.id);
    expect(over).toMatchObject({ status: 'completed', progress: { done: 2, failed: 2, total: 4 } });
    const byIndex = (await allResults(server.api, job.id)).toSorted((a, b) => a.index - b.index);
    expect(byIndex.map(({ status, attempts, error }) => [status, attempts, error?.code])).toEqual([
      ['done', 2, undefined],
      ['done', 2, undefined],
      ['failed', 2, 'NAVIGATION_FAILED'],
      ['failed', 1, 'POLICY_BLOCKED'],
    ]);
    expect(byIndex[1]?.statusCode).toBe(200);
    expect(await allResults(server.api, job.id, '&status=failed')).toHaveLength(2);
    expect(site.asked.get('/page/refused')).toBeUndefined();
  });

  test('keeps no browser of a print that is tried again', async () => {
    // One that was kept would be the only one, for as long as a print may be read.
    await using small = await startServer({ BROWSERD_MAX_BROWSERS: '1', BROWSERD_JOBS_RESERVE: '0' });
    const items = ['/busy-once/2', '/busy-once/3'].map((path) => ({ url: site.origin + path }));
    const { body: job } = await postJob(small.api, {
      ...{ kind: 'batch', action: 'pdf', items, options, retries: 1, concurrency: 1 },
    });
    expect(await untilOver(small.api, job.id)).toMatchObject({
      progress: { done: 2, failed: 0, total: 2 },
    });
  });

  test('keeps large results beside its rows, and gives them whole', async () => {
    const job = await startBatch(server.api, [`${site.origin}/large/1`], {
      options: { ...options, maxChars: 1_000_000 },
    });
    await untilOver(server.api, job.id);
    const [result] = await allResults(server.api, job.id);
    expect(String(result?.scraped?.content).length).toBeGreaterThan(150_000);
    expect((await server.api.call('DELETE', `/v1/jobs/${job.id}`)).status).toBe(200);
    expect(await blobs()).not.toContainEqual(expect.stringContaining('result_'));
  });

  test('is nothing to other projects', async () => {
    const job = await startBatch(server.api, pages(0, 1));
    const stranger = server.api.as(await makeKey(server.dataDir, { project: 'strangers' }));
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/results'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const)
      expect(await stranger.call(method, `/v1/jobs/${job.id}${path}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'JOB_NOT_FOUND' } },
      });
    expect((await stranger.call('GET', '/v1/jobs')).body.items).toEqual([]);
    await untilOver(server.api, job.id);
  });
});

describe('the results of a batch', () => {
  test('are lines of JSON, pages by a cursor, and lists by status', async () => {
    const job = await startBatch(server.api, pages(0, 5));
    await untilOver(server.api, job.id);
    const response = await fetch(`${server.api.url}/v1/jobs/${job.id}/results`, {
      headers: { authorization: `Bearer ${server.api.key}`, accept: 'application/x-ndjson' },
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text()).trimEnd().split('\n');
    const all = await allResults(server.api, job.id);
    expect(lines.map((line) => JSON.parse(line))).toEqual(all);
    const first = await server.api.call('GET', `/v1/jobs/${job.id}/results?limit=2`);
    expect(first.body).toMatchObject({ hasMore: true, nextCursor: '2', items: all.slice(0, 2) });
    const rest = await server.api.call('GET', `/v1/jobs/${job.id}/results?limit=100&cursor=2`);
    expect(rest.body).toEqual({ items: all.slice(2), limit: 100, hasMore: false });
    const wrong = await server.api.call('GET', `/v1/jobs/${job.id}/results?cursor=x`);
    expect(wrong.body.error.code).toBe('INVALID_CURSOR');
    const ofStatus = await server.api.call('GET', '/v1/jobs?status=completed&kind=batch&limit=1');
    expect(ofStatus.body.items[0].id).toBe(job.id);
    expect((await server.api.call('GET', '/v1/jobs?kind=crawl')).body.items).toEqual([]);
  });

  test('come live, from where a reader left off, to the end of the job', async () => {
    await using held = await startJobSite();
    const job = await startBatch(server.api, [
      site.page('live'),
      `${held.origin}/held/1`,
      `${held.origin}/held/2`,
    ]);
    const path = `/v1/jobs/${job.id}/results`;
    {
      await using early = await followEvents(server.api, path);
      const first = await early.until(({ event }) => event === 'result');
      expect(first).toMatchObject({ id: '1', data: { url: site.page('live'), status: 'done' } });
    }
    await using late = await followEvents(server.api, path, { 'last-event-id': '1' });
    held.letGo();
    const end = await late.until(({ event }) => event === 'end');
    await late.ended;
    expect(end.data.job).toMatchObject({ id: job.id, status: 'completed', progress: { done: 3 } });
    expect(late.events().map(({ id }) => id)).toEqual(['2', '3']);
  });
});

describe('a job that is not to go on', () => {
  test('is cancelled midway: what is done stays, what is under way is left', async () => {
    await using held = await startJobSite();
    const urls = [site.page('kept'), ...Array.from({ length: 6 }, (_, n) => `${held.origin}/held/${n}`)];
    const job = await startBatch(server.api, urls, { concurrency: 2 });
    await eventually(
      async () => [(await getJob(server.api, job.id)).progress.done, held.held()],
      ([done, waiting]) => done === 1 && waiting === 2,
    );
    expect((await getJob(server.api, job.id)).progress).toMatchObject({ running: 2, queued: 4, done: 1 });
    const cancelled = await server.api.call('POST', `/v1/jobs/${job.id}/cancel`);
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      progress: { done: 1, queued: 6, running: 0 },
    });
    await eventually(
      async () => held.held(),
      (waiting) => waiting === 0,
    );
    expect(held.mostHeld()).toBe(2);
    expect(await allResults(server.api, job.id)).toHaveLength(1);
    const again = await server.api.call('POST', `/v1/jobs/${job.id}/cancel`);
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'JOB_NOT_RUNNING' } } });
  });

  test('is deleted midway, with its results and its files', async () => {
    await using held = await startJobSite();
    const job = await startBatch(server.api, [site.page('file'), `${held.origin}/held/1`], {
      action: 'screenshot',
    });
    const [{ file } = {}] = await eventually(
      () => allResults(server.api, job.id),
      ({ length }) => length === 1,
    );
    expect(await blobs()).toContainEqual(expect.stringContaining(file?.id ?? 'none'));
    expect((await server.api.call('DELETE', `/v1/jobs/${job.id}`)).body).toEqual({
      id: job.id,
      deleted: true,
    });
    expect((await server.api.call('GET', `/v1/jobs/${job.id}`)).status).toBe(404);
    expect((await server.api.call('GET', `/v1/files/${file?.id}`)).status).toBe(404);
    expect(await blobs()).not.toContainEqual(expect.stringContaining(file?.id ?? 'none'));
    await eventually(
      async () => held.held(),
      (waiting) => waiting === 0,
    );
  });

  test('tells events and its webhook, never of single pages', async () => {
    await using receiver = await startReceiver();
    const { body: job } = await postJob(server.api, {
      kind: 'batch',
      items: [{ url: site.page('told') }],
      options: { policy: localhost },
      webhook: { url: receiver.url },
    });
    const { body } = await receiver.until(({ body }) => body.type === 'job.completed');
    expect(body.data).toMatchObject({ id: job.id, status: 'completed', progress: { done: 1, total: 1 } });
    receiver.received.at(-1)?.verify(job.webhookSecret);
    const { items } = (await server.api.call('GET', '/v1/events?type=job.*&limit=100')).body;
    const ours = items.filter(({ browserId }: { browserId: string }) => browserId === job.id);
    expect(ours.map(({ type }: { type: string }) => type)).toEqual(['job.completed', 'job.started']);
    expect(ours[0].data).toMatchObject({ jobId: job.id, kind: 'batch', progress: { done: 1, total: 1 } });
    expect((await server.api.call('GET', '/v1/webhooks')).body.items).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });
});
