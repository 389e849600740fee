import { afterAll, beforeAll, expect, test } from 'vitest';
import { allResults, getJob, startBatch, untilOver } from '../support/batch-client.ts';
import type { Api } from '../support/client.ts';
import { startCluster, type TestCluster } from '../support/cluster.ts';
import { followEvents } from '../support/event-client.ts';
import { startJobSite } from '../support/job-site.ts';
import { hook, settings, startReceiver } from '../support/receiver.ts';
import { eventually } from '../support/server.ts';

let cluster: TestCluster;
let here: Api;
let there: Api;

beforeAll(async () => {
  // Three pages of jobs at once are all that each has slots for.
  cluster = await startCluster({ nodes: 2, settings: { ...settings, BROWSERD_MAX_BROWSERS: '4' } });
  const [one, two] = cluster.nodes;
  here = one!.api;
  there = two!.api;
});
afterAll(() => cluster[Symbol.asyncDispose]());

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('of two nodes one sends what a webhook is told, and each hears the events of the other', async () => {
  await using receiver = await startReceiver();
  await using stream = await followEvents(here, '/v1/events?type=browser.closed');
  const { id } = await hook(here, { url: receiver.url, events: ['browser.created', 'browser.closed'] });
  const ids: string[] = [];
  for (const api of [here, there]) {
    const { body } = await api.create();
    ids.push(body.id);
    await api.remove(body.id);
  }
  await Promise.all(
    ids.map((each) =>
      receiver.until(({ body }) => body.type === 'browser.closed' && body.data.browserId === each),
    ),
  );
  await Promise.all(ids.map((each) => stream.until(({ data }) => data?.browserId === each)));
  await eventually(
    async () => (await there.call('GET', `/v1/webhooks/${id}/deliveries?state=delivered`)).body.items,
    (items) => items.length === 4,
  );
  expect(receiver.received).toHaveLength(4);
});

test('two nodes share the pages of a job, and none is visited by both', async () => {
  await using site = await startJobSite();
  const held = numbers(6).map((n) => `${site.origin}/held/${n}`);
  const pages = numbers(12).map((n) => site.page(n));
  const job = await startBatch(here, [...held, ...pages], { concurrency: 6 });
  await eventually(
    async () => site.held(),
    (waiting) => waiting === 6,
  );
  expect((await getJob(there, job.id)).progress).toMatchObject({ running: 6, queued: 12 });
  site.letGo();
  expect(await untilOver(there, job.id)).toMatchObject({ status: 'completed', progress: { done: 18 } });
  const results = await allResults(there, job.id);
  expect(results.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(numbers(18));
  for (const url of [...held, ...pages]) expect(site.asked.get(new URL(url).pathname)).toBe(1);
});

test('a job that one node cancels is left by the other as well', async () => {
  await using site = await startJobSite();
  const held = numbers(6).map((n) => `${site.origin}/held/${n}`);
  const job = await startBatch(here, held, { concurrency: 6 });
  await eventually(
    async () => site.held(),
    (waiting) => waiting === 6,
  );
  await there.call('POST', `/v1/jobs/${job.id}/cancel`);
  await eventually(
    async () => site.held(),
    (waiting) => waiting === 0,
  );
});

test('what a killed node had of a job is taken up by the other, once it is declared gone', async () => {
  await using site = await startJobSite();
  const held = numbers(6).map((n) => `${site.origin}/held/${n}`);
  const job = await startBatch(here, held, { concurrency: 6 });
  await eventually(
    async () => site.held(),
    (waiting) => waiting === 6,
  );
  await cluster.nodes[1]!.kill();
  site.letGo();
  expect(await untilOver(here, job.id)).toMatchObject({ status: 'completed', progress: { done: 6 } });
  const asked = held.map((url) => site.asked.get(new URL(url).pathname));
  expect(asked.toSorted()).toEqual([1, 1, 1, 2, 2, 2]);
});
