/** Jobs of a project: batches, crawls and maps, their progress, their results. */
import { ZodError, z } from 'zod';
import type { Access } from '../../access/access.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import {
  createdJobSchema,
  createJobSchema,
  deletedJobSchema,
  type Job,
  type JobResult,
  jobKinds,
  jobResultSchema,
  jobSchema,
  jobStatuses,
  resultStatuses,
} from '../../jobs/schema.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import type { Once } from '../gate/gate.ts';
import { bodyInvalid } from '../in/in.ts';
import { type AnswerMasks, sendLines, sendResults, wantsLines, wantsStream } from '../out/out.ts';
import type { App } from '../wire/wire.ts';

const jobExample: Job = {
  id: 'job_01ja9q4m8h2f7t3k5w6x8y0z1a',
  kind: 'batch',
  action: 'scrape',
  name: null,
  url: null,
  status: 'running',
  progress: { queued: 1, running: 1, done: 1, failed: 0, skipped: 0, total: 3, etaMs: 1400 },
  remarks: [],
  error: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  startedAt: '2026-01-01T12:00:00.040Z',
  endedAt: null,
  expiresAt: null,
};

const resultExample: JobResult = {
  seq: 1,
  index: 0,
  url: 'https://example.com/',
  finalUrl: 'https://example.com/',
  statusCode: 200,
  status: 'done',
  depth: null,
  foundOn: null,
  source: null,
  attempts: 1,
  fromCache: false,
  error: null,
  scraped: {
    url: 'https://example.com/',
    finalUrl: 'https://example.com/',
    title: 'An article',
    description: '',
    statusCode: 200,
    contentType: 'text/html',
    format: 'markdown',
    content: '# An article\n\nIts text.',
    chars: 23,
    truncated: false,
    captcha: [],
    elapsedMs: 180,
  },
  finishedAt: '2026-01-01T12:00:00.700Z',
};

const tags = ['Jobs'];
const params = z.object({ jobId: z.string().meta({ examples: [jobExample.id] }) });
const changed = ['JOB_NOT_FOUND', 'SERVICE_SHUTTING_DOWN'] as const;

export type JobCalls = Pick<
  Jobs,
  'create' | 'list' | 'get' | 'cancel' | 'remove' | 'results' | 'allResults' | 'follow' | 'show'
>;

export interface JobRouteParts {
  jobs: JobCalls;
  once: Once;
  access: Pick<Access, 'authenticate'>;
  masks: Pick<AnswerMasks, 'json'>;
  bodyLimit: number;
  heartbeatMs: number;
  stopping: AbortSignal;
}

export function jobRoutes(app: App, parts: JobRouteParts): void {
  const { jobs, once, bodyLimit } = parts;
  app.route({
    method: 'POST',
    url: '/v1/jobs',
    bodyLimit,
    config: {
      idempotency: 'optional',
      examples: {
        request: { kind: 'batch', items: [{ url: 'https://example.com/' }, { url: 'https://example.org/' }] },
        response: { ...jobExample, status: 'queued', startedAt: null },
      },
    },
    schema: {
      operationId: 'JobController_create',
      summary: 'Start a job',
      description:
        'Many pages in one request. `batch`: up to 10,000 pages of your own list. `crawl`: a site, from one address on. `map`: the addresses of a site. The answer comes at once; pages are worked on beside everything else, within the room that interactive callers leave, and projects take turns. A job outlives restarts of the service. The body may be as large as `BROWSERD_BODY_LIMIT` (10 MiB) and hold 100,000 values. `Idempotency-Key` makes it safe to send again.',
      tags,
      body: createJobSchema,
      response: answers({ 201: { description: 'The job.', schema: createdJobSchema } }, [
        ...bodyCodes,
        'QUOTA_EXCEEDED',
        'TOO_MANY_JOBS',
        'SERVICE_SHUTTING_DOWN',
        'IDEMPOTENCY_KEY_REUSED',
        'IDEMPOTENCY_KEY_IN_USE',
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async (madeBefore) => {
        const { principal, body, idempotencyKey } = request;
        try {
          const created = await jobs.create(principal.projectId, body, { idempotencyKey, madeBefore });
          return { statusCode: 201, body: created };
        } catch (error) {
          throw error instanceof ZodError ? bodyInvalid(error) : error;
        }
      }),
  });

  app.route({
    method: 'GET',
    url: '/v1/jobs',
    config: { large: true, examples: { response: { items: [jobExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'JobController_list',
      summary: 'List jobs',
      description: 'The jobs of the project, newest first.',
      tags,
      querystring: z.strictObject({
        status: z.enum(jobStatuses).optional(),
        kind: z.enum(jobKinds).optional(),
        ...pageQuery,
      }),
      response: answers({ 200: { description: 'A page of jobs.', schema: pageOf(jobSchema, 'JobPage') } }, [
        'INVALID_CURSOR',
      ]),
    },
    handler: async ({ principal, query }) => jobs.list(principal.projectId, query),
  });

  app.route({
    method: 'GET',
    url: '/v1/jobs/:jobId',
    config: { examples: { response: jobExample } },
    schema: {
      operationId: 'JobController_get',
      summary: 'Get a job',
      description: 'Its status and progress.',
      tags,
      params,
      response: answers({ 200: { description: 'The job.', schema: jobSchema } }, ['JOB_NOT_FOUND']),
    },
    handler: async ({ principal, params }) => jobs.get(principal.projectId, params.jobId),
  });

  app.route({
    method: 'POST',
    url: '/v1/jobs/:jobId/cancel',
    config: {
      examples: { response: { ...jobExample, status: 'cancelled', endedAt: '2026-01-01T12:00:01.000Z' } },
    },
    schema: {
      operationId: 'JobController_cancel',
      summary: 'Cancel a job',
      description: 'No page is begun any more, and those under way are left. Results that there are stay.',
      tags,
      params,
      response: answers({ 200: { description: 'The job as it is now.', schema: jobSchema } }, [
        ...changed,
        'JOB_NOT_RUNNING',
      ]),
    },
    handler: async ({ principal, params }) => jobs.cancel(principal.projectId, params.jobId),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/jobs/:jobId',
    config: { examples: { response: { id: jobExample.id, deleted: true } } },
    schema: {
      operationId: 'JobController_delete',
      summary: 'Delete a job',
      description: 'Cancels it where it is not over, and removes its results and its files.',
      tags,
      params,
      response: answers({ 200: { description: 'Deleted.', schema: deletedJobSchema } }, changed),
    },
    handler: async ({ principal, params }) => jobs.remove(principal.projectId, params.jobId),
  });

  resultRoutes(app, parts);
}

function resultRoutes(app: App, { jobs, access, masks, heartbeatMs, stopping }: JobRouteParts): void {
  app.route({
    method: 'GET',
    url: '/v1/jobs/:jobId/results',
    config: { large: true, examples: { response: { items: [resultExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'JobController_results',
      summary: 'List results of a job, or follow them live',
      description:
        'What was finished, in that order; also while the job runs. A page of results may be shorter than `limit` where they are large. `nextCursor` is the `seq` of the last one.\n\nWith `Accept: application/x-ndjson` all that there are by now come as lines of JSON. With `Accept: text/event-stream` the answer is a live stream of Server-Sent Events: `event: result` with `id` (its `seq`) and the result as `data`, from the first on or after `Last-Event-ID` (or `cursor`), each once; `event: end` with `{"job": …}` when the job is over, or with an error that says why the service ends the stream. Reconnect and go on after the last `id`.',
      tags,
      params,
      querystring: z.strictObject({ status: z.enum(resultStatuses).optional(), ...pageQuery }),
      response: answers(
        {
          200: {
            description: 'A page of results, their lines, or the stream.',
            schema: pageOf(jobResultSchema, 'JobResultPage'),
            type: 'application/x-ndjson',
          },
        },
        ['JOB_NOT_FOUND', 'INVALID_CURSOR', 'SERVICE_SHUTTING_DOWN'],
      ),
    },
    handler: async (request, reply) => {
      const { principal, params, query, headers } = request;
      const { projectId } = principal;
      const write = (value: unknown): string => masks.json(projectId, JSON.stringify(value));
      const from = { status: query.status, cursor: String(headers['last-event-id'] ?? '') || query.cursor };
      if (wantsStream(request))
        return sendResults(request, reply, {
          heartbeatMs,
          stopping,
          write,
          follow: () => jobs.follow(projectId, params.jobId, from),
          show: (job) => jobs.show(job),
          check: async () => void (await access.authenticate(headers.authorization)),
        });
      if (wantsLines(request)) {
        const results = await jobs.allResults(projectId, params.jobId, from);
        return sendLines(request, reply, results, write);
      }
      return jobs.results(projectId, params.jobId, query);
    },
  });
}
