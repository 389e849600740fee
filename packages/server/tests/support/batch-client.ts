import { expect } from 'vitest';
import type { Job, JobResult } from '../../src/jobs/schema.ts';
import type { Answer, Api } from './client.ts';
import { eventually } from './server.ts';

export const localhost = { privateAccess: { localhost: true } };
/** What waits for pages has all the time there is. */
export const options = { policy: localhost, timeoutMs: 120_000 };

export const postJob = (api: Api, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call('POST', '/v1/jobs', { body, headers });

export async function startBatch(api: Api, urls: string[], more: object = {}): Promise<Job> {
  const items = urls.map((url) => ({ url }));
  const { status, body } = await postJob(api, { kind: 'batch', items, options, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

export const getJob = async (api: Api, id: string): Promise<Job> =>
  (await api.call('GET', `/v1/jobs/${id}`)).body;

export const untilOver = (api: Api, id: string): Promise<Job> =>
  eventually(
    () => getJob(api, id),
    ({ endedAt }) => endedAt !== null,
  );

export async function allResults(api: Api, id: string, query = ''): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await api.call('GET', `/v1/jobs/${id}/results?limit=100${query}${cursor}`);
    results.push(...body.items);
    if (!body.hasMore) return results;
    cursor = `&cursor=${body.nextCursor}`;
  }
}
