import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type Asked, badLine, hangUp, json, refusal } from '../../tests/bad-line.ts';
import type { api } from '../sdk.ts';

const progress = { queued: 0, running: 0, done: 2, failed: 1, skipped: 0, total: 3, etaMs: null };
const job = (status: api.Job['status'], more: object = {}) => ({
  id: 'job_1',
  status,
  progress,
  error: null,
  ...more,
});
const created = json(201, job('queued'));

const frame = (seq: number): string => `id: ${seq}\nevent: result\ndata: {"seq":${seq}}\n\n`;
const end = (status: api.Job['status'], more?: object): string =>
  `event: end\ndata: ${JSON.stringify({ job: job(status, more) })}\n\n`;
const endedByService = (code: string): string =>
  `event: end\ndata: {"error":{"code":"${code}","message":"","category":"internal","nextStep":"retry"}}\n\n`;
const stream = (text: string, then?: (response: ServerResponse) => void) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  response.write(text || ': hello\n\n', () => then?.(response));
};
const cutOff = (response: ServerResponse): void => void response.destroy();

const seqs: number[] = [];
async function take(results: AsyncIterable<api.JobResult>, most = 100): Promise<number[]> {
  seqs.length = 0;
  for await (const { seq } of results) if (seqs.push(seq) === most) break;
  return [...seqs];
}
const paths = (asked: Asked[]): string[] => asked.map(({ method, url }) => `${method} ${url}`);
const crawl = { url: 'https://example.com/' };

test('a crawl is created once and followed to its end, over a connection that breaks and a service that restarts', async () => {
  const line = await badLine(
    created,
    stream(`${frame(1)}data: {"seq":`, cutOff),
    stream(`${frame(1)}${frame(2)}${endedByService('SERVICE_SHUTTING_DOWN')}`, (response) => response.end()),
    hangUp,
    stream(frame(3) + end('completed'), (response) => response.end()),
  );
  expect(await take(line.client({ maxRetries: 0 }).jobs.crawl(crawl))).toEqual([1, 2, 3]);
  expect(paths(line.asked)).toEqual(['POST /v1/jobs', ...Array(4).fill('GET /v1/jobs/job_1/results')]);
  expect(JSON.parse(line.asked[0]?.body ?? '')).toEqual({ kind: 'crawl', ...crawl });
  expect(line.asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '0', '1', '2', '2']);
});

test('a create whose answer was lost is asked for again with the same key', async () => {
  const line = await badLine(
    hangUp,
    created,
    stream(end('completed'), (response) => response.end()),
  );
  expect(await take(line.client().jobs.batch({ items: [crawl] }))).toEqual([]);
  const [first, second] = line.asked.map(({ headers }) => headers['idempotency-key']);
  expect(first).toBeTruthy();
  expect(second).toBe(first);
});

test('a loop that is left early cancels its job and leaves no connection, unless it is told not to', async () => {
  const line = await badLine(
    created,
    stream(frame(1) + frame(2)),
    json(200, job('cancelled')),
    created,
    stream(frame(1)),
  );
  const { jobs } = line.client();
  expect(await take(jobs.map(crawl), 1)).toEqual([1]);
  expect(paths(line.asked).at(-1)).toBe('POST /v1/jobs/job_1/cancel');
  expect(await take(jobs.map(crawl, { keepRunning: true }), 1)).toEqual([1]);
  expect(line.asked).toHaveLength(5);
  await expect.poll(line.open).toBe(0);
});

test('an error of the caller, or its signal, cancels the job too, and is what the caller gets', async () => {
  for (const signal of [true, false]) {
    const line = await badLine(created, stream(frame(1)), refusal(409, 'JOB_NOT_RUNNING', 'fix_request'));
    const stop = new AbortController();
    const working = (async () => {
      for await (const _ of line.client().jobs.crawl(crawl, { signal: stop.signal })) {
        if (!signal) throw new Error('mine');
        stop.abort(new Error('mine'));
      }
    })();
    await expect(working).rejects.toThrow('mine');
    expect(paths(line.asked).at(-1)).toBe('POST /v1/jobs/job_1/cancel');
    await expect.poll(line.open).toBe(0);
  }
});

test('a job that failed, or that another caller cancelled, is thrown with its reason and needs no cancelling', async () => {
  const why = { code: 'PROFILE_NOT_FOUND', message: 'There is no such profile.' };
  for (const [said, code] of [
    [end('failed', { error: why }), 'PROFILE_NOT_FOUND'],
    [end('cancelled'), 'JOB_CANCELLED'],
  ] as const) {
    const line = await badLine(
      created,
      stream(frame(1) + said, (response) => response.end()),
    );
    const error = await take(line.client().jobs.crawl(crawl)).catch((thrown) => thrown);
    expect(error).toMatchObject({
      name: 'JobError',
      code,
      details: { jobId: 'job_1' },
      job: { id: 'job_1' },
    });
    expect(error.message).toMatch(
      /^The job job_1 (failed: There is no such profile|was cancelled)\. 2 pages are done, 1 failed/,
    );
    expect([seqs, line.asked.length]).toEqual([[1], 2]);
  }
});

test('where something on the way keeps streams back, results are asked for in pages, each given once', async () => {
  const page = (items: number[], nextCursor?: string) =>
    json(200, {
      items: items.map((seq) => ({ seq })),
      limit: 100,
      hasMore: nextCursor !== undefined,
      nextCursor,
    });
  const line = await badLine(
    created,
    stream(frame(1), cutOff),
    page([1, 2]),
    json(200, job('running')),
    page([1, 2], 'next'),
    page([3]),
    json(200, job('completed')),
    page([3, 4]),
  );
  expect(await take(line.client({ maxRetries: 0 }).jobs.crawl(crawl))).toEqual([1, 2, 3, 4]);
  expect(paths(line.asked).slice(3)).toEqual([
    'GET /v1/jobs/job_1',
    'GET /v1/jobs/job_1/results?limit=100',
    'GET /v1/jobs/job_1/results?limit=100&cursor=next',
    'GET /v1/jobs/job_1',
    'GET /v1/jobs/job_1/results?limit=100&cursor=next',
  ]);
});

test('streams that are opened and never say a word are given up for pages', async () => {
  const mute = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end();
  };
  const line = await badLine(
    mute,
    mute,
    json(200, job('completed')),
    json(200, { items: [{ seq: 1 }], limit: 100, hasMore: false }),
  );
  expect(await take(line.client().jobs.follow('job_1'))).toEqual([1]);
  expect(line.asked).toHaveLength(4);
});

test('an end that is final, such as a deleted job, is thrown at once', async () => {
  const line = await badLine(created, refusal(404, 'JOB_NOT_FOUND', 'fix_request'));
  await expect(take(line.client().jobs.crawl(crawl))).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
});

test('a create that is aborted leaves no job, unless it has a key of the caller', async () => {
  const slow = (response: ServerResponse): void => void setTimeout(() => response.destroy(), 10_000).unref();
  const line = await badLine(slow, created, json(200, { id: 'job_1', deleted: true }));
  const stop = new AbortController();
  const creating = line.client().jobs.create({ kind: 'map', ...crawl }, { signal: stop.signal });
  await expect.poll(() => line.asked.length).toBe(1);
  stop.abort(new Error('enough'));
  await expect(creating).rejects.toThrow('enough');
  await expect.poll(() => paths(line.asked).at(-1)).toBe('DELETE /v1/jobs/job_1');
  expect(line.asked[1]?.headers['idempotency-key']).toBe(line.asked[0]?.headers['idempotency-key']);
});

test('the wait for a job goes on through a restart of the service, and gives it whatever became of it', async () => {
  const line = await badLine(
    json(200, job('running')),
    hangUp,
    refusal(502, 'NOT_OURS', 'retry'),
    json(200, job('failed')),
  );
  expect(await line.client({ maxRetries: 0 }).jobs.wait('job_1')).toMatchObject({ status: 'failed' });
  const away = await badLine(hangUp);
  await expect(away.client({ maxRetries: 0 }).jobs.wait('job_1')).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
  });
});
