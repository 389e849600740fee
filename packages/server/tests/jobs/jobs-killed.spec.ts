import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { allResults, getJob, startBatch, untilOver } from '../support/batch-client.ts';
import { startJobSite } from '../support/job-site.ts';
import { eventually, makeFolders, spawnServer } from '../support/server.ts';

const count = 24;

test('a batch goes on where it was when the service is killed, each page once in the results', async ({
  signal,
}) => {
  await using site = await startJobSite();
  await using folders = await makeFolders({ BROWSERD_MAX_BROWSERS: '8' });
  // One page is under way until the end, so that the job is not over before the last kill.
  const pages = [`${site.origin}/held/all-along`, ...Array.from({ length: count }, (_, n) => site.page(n))];
  let server = await spawnServer(folders.env, signal);
  const { id } = await startBatch(server.api, pages, { concurrency: 4 });
  for (const share of [0.25, 0.5, 0.75]) {
    await eventually(
      async () => (await getJob(server.api, id)).progress.done,
      (done) => done >= count * share,
    );
    server.child.kill('SIGKILL');
    await server.exited;
    server = await spawnServer(folders.env, signal);
    expect(await getJob(server.api, id)).toMatchObject({ id, status: 'running' });
  }
  site.letGo();
  const over = await untilOver(server.api, id);
  expect(over).toMatchObject({
    status: 'completed',
    progress: { done: count + 1, failed: 0, total: count + 1 },
  });
  const results = await allResults(server.api, id);
  expect(results.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(pages.map((_, n) => n));
  expect(results.map(({ seq }) => seq)).toEqual(pages.map((_, n) => n + 1));
  // Pages that were under way at one of the three kills were asked for again, and no others.
  const again = [...site.asked].filter(([path, times]) => path.startsWith('/page/') && times > 1);
  expect(again.length).toBeLessThanOrEqual(3 * 4);
  server.child.kill('SIGTERM');
  expect((await server.exited).code).toBe(0);
});

test('a service that ends in peace puts its pages back in line, and the next one takes them up', async ({
  signal,
}) => {
  await using site = await startJobSite();
  await using folders = await makeFolders({ BROWSERD_MAX_BROWSERS: '8' });
  let server = await spawnServer({ ...folders.env, BROWSERD_SHUTDOWN_GRACE: '60s' }, signal);
  const headers = { 'idempotency-key': randomUUID() };
  const body = {
    kind: 'batch',
    items: [0, 1, 2].map((n) => ({ url: `${site.origin}/held/${n}` })),
    options: { policy: { privateAccess: { localhost: true } }, timeoutMs: 120_000 },
    retries: 0,
  };
  const { body: job } = await server.api.call('POST', '/v1/jobs', { body, headers });
  await eventually(
    async () => site.held(),
    (held) => held === 3,
  );
  server.child.kill('SIGTERM');
  expect((await server.exited).code).toBe(0);
  server = await spawnServer(folders.env, signal);
  expect((await server.api.call('POST', '/v1/jobs', { body, headers })).body.id).toBe(job.id);
  site.letGo();
  expect(await untilOver(server.api, job.id)).toMatchObject({ progress: { done: 3, failed: 0 } });
  // What the end of the service cut short was no attempt.
  expect((await allResults(server.api, job.id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  server.child.kill('SIGTERM');
  expect((await server.exited).code).toBe(0);
});
