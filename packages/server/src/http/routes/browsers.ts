/** Creating, listing, changing, stopping, resuming and closing browsers. */
import { z } from 'zod';
import type { Browsers } from '../../browsers/browsers.ts';
import {
  type Browser,
  browserSchema,
  browserStatus,
  closedSchema,
  countsSchema,
  createBrowserSchema,
  handoffStates,
  patchBrowserSchema,
  statusSchema,
} from '../../browsers/record/schema.ts';
import type { ErrorCode } from '../../errors.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import type { Once } from '../gate/gate.ts';
import { readPrefer } from '../in/in.ts';
import type { App } from '../wire/wire.ts';
import {
  browserExample,
  countsExample,
  createExample,
  pageExample,
  statusExample,
} from './browser-examples.ts';

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });

const fullTime = z.iso.datetime({ offset: true });

/** A date is its first moment, and a time without a zone is in UTC: the same query means the same everywhere. */
const moment = z
  .string()
  .transform((text, ctx) => {
    const [, day = '', time = '00:00', seconds = ':00', zone = 'Z'] =
      /^([\d-]+)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
    const full = `${day}T${time}${seconds}${zone}`;
    if (fullTime.safeParse(full).success) return Date.parse(full);
    const message =
      'expected a date or a time, such as 2026-01-31, 2026-01-31T12:00 or 2026-01-31T12:00:00+01:00';
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .optional();
const momentFormat =
  'ISO-8601: a date (its first moment), or a time; in UTC where it names no zone. A `+` in a query is written `%2B`.';

const several = (value: unknown): unknown =>
  value === undefined ? undefined : [value].flat().flatMap((item) => String(item).split(','));

const listQuery = z.strictObject({
  status: z
    .preprocess(several, z.array(browserStatus).optional())
    .meta({ description: 'Only these; repeated or comma-separated.' }),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((map) => Object.keys(map).length <= 50, { message: 'at most 50 keys' })
    .optional()
    .meta({ description: 'Only browsers whose metadata has these values: `metadata[team]=red`.' }),
  search: z.string().trim().min(1).max(200).optional().meta({
    description:
      'Only browsers in whose name, metadata (`key=value`) or id each of these words occurs, in any case. A page looks at 5,000 browsers at most, so it may hold fewer than `limit`, or none, though `hasMore` is true.',
  }),
  handoff: z.preprocess(several, z.array(handoffStates).optional()).meta({
    description: 'Only ready browsers that wait for a person (`requested`) or that a person holds.',
  }),
  createdAfter: moment.meta({ description: `Only browsers created after it. ${momentFormat}` }),
  createdBefore: moment.meta({ description: `Only browsers created before it. ${momentFormat}` }),
  ...pageQuery,
});

const onceCodes: ErrorCode[] = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE', 'SERVICE_SHUTTING_DOWN'];
const startCodes: ErrorCode[] = [
  'CAPACITY_EXHAUSTED',
  'BROWSER_START_FAILED',
  'BROWSER_CRASHED',
  'BROWSER_UNRESPONSIVE',
  'PROXY_UNREACHABLE',
  'PROXY_AUTH_FAILED',
];
const browser = { description: 'The browser.', schema: browserSchema };

export function browserRoutes(app: App, { browsers, once }: { browsers: Browsers; once: Once }): void {
  app.route({
    method: 'GET',
    url: '/v1/browsers',
    config: { examples: { response: pageExample } },
    schema: {
      operationId: 'BrowserController_list',
      summary: 'List browsers',
      description: 'The browsers of the project, newest first.',
      tags: ['Browsers'],
      querystring: listQuery,
      response: answers(
        { 200: { description: 'A page of browsers.', schema: pageOf(browserSchema, 'BrowserPage') } },
        ['INVALID_CURSOR'],
      ),
    },
    handler: async (request) => browsers.list(request.principal.projectId, request.query),
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/counts',
    config: { examples: { response: countsExample } },
    schema: {
      operationId: 'BrowserController_count',
      summary: 'Count browsers',
      description: 'How many browsers the project has, in each status.',
      tags: ['Browsers'],
      response: answers({ 200: { description: 'The numbers.', schema: countsSchema } }, []),
    },
    handler: async (request) => browsers.count(request.principal.projectId),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers',
    config: {
      idempotency: 'required',
      prefers: true,
      examples: { request: createExample, response: browserExample },
    },
    schema: {
      operationId: 'BrowserController_create',
      summary: 'Create a browser',
      description:
        'Answers once the browser is `ready`. All fields are optional; a field whose machinery this version lacks is refused, never ignored.',
      tags: ['Browsers'],
      body: createBrowserSchema,
      response: answers(
        {
          201: { description: 'Ready.', schema: browserSchema },
          202: { description: 'On its way, after `Prefer: respond-async`.', schema: browserSchema },
        },
        [
          'IDEMPOTENCY_KEY_REQUIRED',
          'FEATURE_UNAVAILABLE',
          'POLICY_NOT_ALLOWED',
          'PROFILE_NOT_FOUND',
          'PROFILE_VERSION_NOT_FOUND',
          'PROFILE_IN_USE',
          ...bodyCodes,
          ...onceCodes,
          ...startCodes,
        ],
      ),
    },
    handler: async (request, reply) => {
      const { respondAsync, waitMs, applied } = readPrefer(request.headers.prefer);
      const { body, principal, idempotencyKey = '' } = request;
      const answer = await once(request, reply, async (madeBefore) => ({
        statusCode: respondAsync ? 202 : 201,
        body: await browsers.create(principal.projectId, body, {
          respondAsync,
          waitMs,
          idempotencyKey,
          madeBefore,
        }),
      }));
      if (reply.statusCode < 300) reply.header('location', `/v1/browsers/${(answer as Browser).id}`);
      if (applied !== undefined) reply.header('preference-applied', applied);
      return answer;
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id',
    config: { examples: { response: browserExample } },
    schema: {
      operationId: 'BrowserController_get',
      summary: 'Get a browser',
      tags: ['Browsers'],
      params,
      response: answers({ 200: browser }, ['BROWSER_NOT_FOUND']),
    },
    handler: async (request) => browsers.get(request.principal.projectId, request.params.id),
  });

  app.route({
    method: 'PATCH',
    url: '/v1/browsers/:id',
    config: { examples: { request: { name: 'checkout', idleTimeout: 600_000 }, response: browserExample } },
    schema: {
      operationId: 'BrowserController_update',
      summary: 'Change a browser',
      description:
        'Takes effect on the running browser at once, without a restart. Fields that are not named stay.',
      tags: ['Browsers'],
      params,
      body: patchBrowserSchema,
      response: answers({ 200: browser }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'POLICY_NOT_ALLOWED',
        'SERVICE_SHUTTING_DOWN',
        ...bodyCodes,
      ]),
    },
    handler: async (request) => browsers.patch(request.principal.projectId, request.params.id, request.body),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/browsers/:id',
    config: { idempotency: 'required' },
    schema: {
      operationId: 'BrowserController_delete',
      summary: 'Close a browser',
      description:
        'When it answers, no process and no scratch file of the browser is left. Closing a closed browser answers the same again.',
      tags: ['Browsers'],
      params,
      response: answers({ 200: { description: 'Closed, with a receipt.', schema: closedSchema } }, [
        'IDEMPOTENCY_KEY_REQUIRED',
        'BROWSER_NOT_FOUND',
        ...onceCodes,
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => ({
        statusCode: 200,
        body: await browsers.close(request.principal.projectId, request.params.id),
      })),
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/status',
    config: { examples: { response: statusExample } },
    schema: {
      operationId: 'BrowserController_status',
      summary: 'Look at a browser',
      description:
        'Tabs and cookies of the browser, without disturbing its pages. A stopped browser answers from its saved state.',
      tags: ['Browsers'],
      params,
      response: answers({ 200: { description: 'A snapshot.', schema: statusSchema } }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'BROWSER_CRASHED',
        'BROWSER_UNRESPONSIVE',
      ]),
    },
    handler: async (request) => browsers.status(request.principal.projectId, request.params.id),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/stop',
    config: { idempotency: 'optional', examples: { response: { ...browserExample, status: 'stopped' } } },
    schema: {
      operationId: 'BrowserController_stop',
      summary: 'Stop a browser',
      description:
        'Saves cookies, storage and tabs, and gives up the process. `resume` brings all of it back.',
      tags: ['Browsers'],
      params,
      response: answers({ 200: browser }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'BROWSER_CRASHED',
        ...onceCodes,
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => ({
        statusCode: 200,
        body: await browsers.stop(request.principal.projectId, request.params.id),
      })),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/resume',
    config: { idempotency: 'optional', prefers: true, examples: { response: browserExample } },
    schema: {
      operationId: 'BrowserController_resume',
      summary: 'Resume a stopped browser',
      description:
        'Answers once the browser is `ready` again, under the same id, with its state. `Prefer: wait=N` waits in line for a free place.',
      tags: ['Browsers'],
      params,
      response: answers({ 200: browser }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        ...startCodes,
        ...onceCodes,
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => ({
        statusCode: 200,
        body: await browsers.resume(
          request.principal.projectId,
          request.params.id,
          readPrefer(request.headers.prefer).waitMs,
        ),
      })),
  });
}
