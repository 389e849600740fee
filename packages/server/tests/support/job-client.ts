import type { Api } from './client.ts';
import { eventually } from './server.ts';

/** Jobs as a caller uses them: made, waited for, and their results read to the end. */
const policy = { privateAccess: { localhost: true } };
/** How long a page takes is the machine's affair. */
const options = { policy, timeoutMs: 120_000 };

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Json = any;

export interface JobClient {
  create(job: object): Promise<Json>;
  ended(id: string): Promise<Json>;
  results(id: string): Promise<Json[]>;
  /** All three. */
  run(job: object): Promise<{ job: Json; results: Json[] }>;
}

export function jobClient(api: Api): JobClient {
  const create = async (job: object): Promise<Json> => {
    const wanted = { ...job, options: { ...options, ...('options' in job && (job.options as object)) } };
    const { status, body } = await api.call('POST', '/v1/jobs', { body: wanted });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const ended = async (id: string): Promise<Json> => {
    const { body } = await eventually(
      () => api.call('GET', `/v1/jobs/${id}`),
      ({ body: job }) => !['queued', 'running'].includes(job.status),
    );
    return body;
  };
  const results = async (id: string): Promise<Json[]> => {
    const all: Json[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await api.call('GET', `/v1/jobs/${id}/results?limit=100${cursor}`);
      all.push(...body.items);
      if (!body.nextCursor) return all;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
  };
  return {
    create,
    ended,
    results,
    async run(job) {
      const { id } = await create(job);
      const end = await ended(id);
      return { job: end, results: await results(id) };
    },
  };
}
