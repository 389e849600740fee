import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { postJob } from '../support/batch-client.ts';
import { eventually, startServer } from '../support/server.ts';

test('an ended job goes with its results and its files when its time is over', async () => {
  await using server = await startServer({ BROWSERD_RETENTION: '1s' });
  const numberOf = async (sample: string): Promise<number> => {
    const { body } = await server.api.call('GET', '/metrics');
    const line = String(body)
      .split('\n')
      .find((each) => each.startsWith(`${sample} `));
    return Number(line?.split(' ').at(-1));
  };
  const items = [{ html: '<h1>one</h1>' }, { html: '<h1>two</h1>' }];
  const jobs = [];
  for (const action of ['scrape', 'screenshot'])
    jobs.push((await postJob(server.api, { kind: 'batch', action, items })).body.id);
  await eventually(
    () => numberOf('browserd_job_pages_total{outcome="done"}'),
    (done) => done === 4,
  );
  for (const id of jobs)
    await eventually(
      () => server.api.call('GET', `/v1/jobs/${id}`),
      ({ status }) => status === 404,
    );
  await eventually(
    () => numberOf('browserd_artifacts_stored_bytes'),
    (bytes) => bytes === 0,
  );
  await eventually(
    () => readdir(join(server.dataDir, 'blobs'), { recursive: true }),
    (names) => !names.some((name) => name.includes('file_')),
  );
});
