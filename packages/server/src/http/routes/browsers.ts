/** Creating, listing, changing, stopping, resuming and closing browsers. */
import { z } from 'zod';
import type { Browsers } from '../../browsers/browsers.ts';
import {
  type Browser,
  browserSchema,
  closedSchema,
  countsSchema,
  createBrowserSchema,
  patchBrowserSchema,
  statusSchema,
} from '../../browsers/record/schema.ts';
import type { ErrorCode } from '../../errors.ts';
import { answers, bodyCodes, pageOf } from '../contract/contract.ts';
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
import { listQuery } from './browser-list-query.ts';

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });

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
    config: { large: true, examples: { response: pageExample } },
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
      answers: 'room',
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
          'EXTENSION_NOT_FOUND',
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
    config: { answers: 'holder, or any', examples: { response: browserExample } },
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
    config: {
      answers: 'holder, or any',
      examples: { request: { name: 'checkout', idleTimeout: 600_000 }, response: browserExample },
    },
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
    config: { answers: 'holder, or any', idempotency: 'required' },
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
    config: { answers: 'holder, or any', examples: { response: statusExample } },
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
    config: {
      answers: 'holder, or any',
      idempotency: 'optional',
      examples: { response: { ...browserExample, status: 'stopped' } },
    },
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
    config: {
      answers: 'holder, or any',
      idempotency: 'optional',
      prefers: true,
      examples: { response: browserExample },
    },
    schema: {
      operationId: 'BrowserController_resume',
      summary: 'Resume a stopped browser',
      description:
        'Answers once the browser is `ready` again, under the same id, with its state. `Prefer: wait=N` waits in line for a free place; `respond-async` is not taken here.',
      tags: ['Browsers'],
      params,
      response: answers({ 200: browser }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        ...startCodes,
        ...onceCodes,
      ]),
    },
    handler: async (request, reply) => {
      const { principal, params: own, headers } = request;
      const { waitMs } = readPrefer(headers.prefer);
      if (waitMs !== undefined) reply.header('preference-applied', `wait=${waitMs / 1000}`);
      return once(request, reply, async () => ({
        statusCode: 200,
        body: await browsers.resume(principal.projectId, own.id, waitMs),
      }));
    },
  });
}
