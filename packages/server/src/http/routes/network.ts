/** What the pages of a browser asked of the network: the log, one request in detail, its body, and a HAR of it. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { fileView } from '../../artifacts/artifacts.ts';
import { type File, fileSchema } from '../../artifacts/schema.ts';
import type { OwnerNetwork } from '../../browsers/browsers.ts';
import {
  createHarSchema,
  type NetworkRequest,
  type NetworkRequestDetail,
  networkDetailSchema,
  networkFilters,
  networkRequestSchema,
  revealField,
} from '../../browsers/network/schema.ts';
import { ApiError } from '../../errors.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import { bytesHeaders } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const example: NetworkRequest = {
  id: 'request_01ja9q4m8h2f7t3k5w6x8y0z1a',
  tabId: 'B00BFB574DD3698D85C5B7C996E1D6C4',
  from: 'page',
  method: 'GET',
  url: 'https://example.com/orders?token=***',
  type: 'fetch',
  state: 'finished',
  status: 503,
  statusText: 'Service Unavailable',
  mimeType: 'application/json',
  protocol: 'h2',
  startedAt: browserExample.createdAt,
  durationMs: 84.2,
  fromCache: false,
  fromServiceWorker: false,
  initiator: { type: 'script', url: 'https://example.com/app.js', line: 12 },
  remoteAddress: '93.184.215.14:443',
  wireBytes: 312,
  bodyBytes: 58,
};
const detail: NetworkRequestDetail = {
  ...example,
  requestHeaders: [{ name: 'authorization', value: '•••' }],
  responseHeaders: [{ name: 'content-type', value: 'application/json' }],
  hasRequestBody: false,
};
const harFile: File = {
  id: 'file_01ja9q4m8h2f7t3k5w6x8y0z1c',
  name: 'network-1.har',
  size: 48_213,
  mimeType: 'application/json',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  source: 'har',
  createdAt: browserExample.createdAt,
};

const harType = 'application/har+json';
const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const requestParams = params.extend({ requestId: z.string().meta({ examples: [example.id] }) });
const query = z.strictObject({ ...networkFilters, ...pageQuery });
const networkPage = z
  .strictObject({
    ...pageOf(networkRequestSchema, 'NetworkRequestPage').shape,
    dropped: z.int().meta({
      description: 'Requests of its tabs that were made so fast that they were only counted.',
    }),
    log: z.enum(['on', 'off']).meta({
      description: '`off`: the operator has turned the log off (`BROWSERD_NETWORK_LOG`), and it stays empty.',
    }),
  })
  .meta({ id: 'NetworkPage' });
const tags = ['Network'];
const common = ['BROWSER_NOT_FOUND', 'BROWSER_NOT_READY'] as const;

/** Undefined: nothing is to be revealed. */
function revealFor({ principal }: FastifyRequest, wanted: boolean): { keyId: string } | undefined {
  if (!wanted) return undefined;
  if (principal.role !== 'admin')
    throw new ApiError('FORBIDDEN', '`reveal` needs a key with the role `admin`.');
  return { keyId: principal.keyId };
}

export function networkRoutes(app: App, { network }: { network: OwnerNetwork }): void {
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/network',
    config: {
      examples: { response: { items: [example], limit: 20, hasMore: false, dropped: 0, log: 'on' } },
    },
    schema: {
      operationId: 'NetworkController_list',
      summary: 'List requests',
      description:
        'What the pages of the browser asked of the network, newest first: of each tab the last 1,000 requests, with those of its frames and workers, also of tabs closed lately. It begins anew with each epoch. Does not wait for scripts, disturbs no page, and is no action.',
      tags,
      params,
      querystring: query,
      response: answers({ 200: { description: 'A page of requests.', schema: networkPage } }, [
        ...common,
        'INVALID_CURSOR',
      ]),
    },
    handler: async ({ principal, params: { id }, query: asked }) =>
      network.list(principal.projectId, id, asked),
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/network/:requestId',
    config: { examples: { response: detail } },
    schema: {
      operationId: 'NetworkController_get',
      summary: 'Get a request',
      description:
        'With its headers. Credentials (`Authorization`, `Cookie`, `Set-Cookie`, names that look like keys) and tokens in addresses are hidden.',
      tags,
      params: requestParams,
      querystring: z.strictObject({ reveal: revealField }),
      response: answers({ 200: { description: 'The request.', schema: networkDetailSchema } }, [
        ...common,
        'FORBIDDEN',
        'REQUEST_NOT_FOUND',
      ]),
    },
    handler: async (request) => {
      const { principal, params: where, query: asked } = request;
      const reveal = revealFor(request, asked.reveal);
      return network.get(principal.projectId, where.id, where.requestId, reveal);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/network/:requestId/content',
    schema: {
      operationId: 'NetworkController_content',
      summary: 'Get the body of an answer',
      description:
        'While Chromium has it: of bodies up to 2 MiB, as long as the document that loaded them is open, the last 4 MiB of each page, frame and worker. As an attachment.',
      tags,
      params: requestParams,
      response: answers({ 200: { description: 'The body.', type: '*/*' } }, [
        ...common,
        'REQUEST_NOT_FOUND',
        'REQUEST_CONTENT_GONE',
        'SECRET_IN_FILE',
        'BROWSER_UNRESPONSIVE',
      ]),
    },
    handler: async ({ principal, params: { id, requestId } }, reply) => {
      const { bytes, ...about } = await network.content(principal.projectId, id, requestId);
      return reply.headers({ ...bytesHeaders(about), 'content-length': bytes.length }).send(bytes);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/har',
    config: { examples: { request: { bodies: 'text' }, response: harFile } },
    schema: {
      operationId: 'HarController_create',
      summary: 'Make a HAR',
      description: `What the log holds as an HTTP Archive (HAR 1.2), kept as a file of the browser; with \`Accept: ${harType}\` the HAR itself is the answer, and nothing is kept. Credentials and tokens are hidden as in the log, passwords in forms and in JSON too.`,
      tags,
      params,
      body: createHarSchema,
      response: answers(
        {
          200: { description: `With \`Accept: ${harType}\`: the HAR.`, type: harType },
          201: { description: 'The file.', schema: fileSchema },
        },
        [
          ...bodyCodes,
          ...common,
          'FORBIDDEN',
          'TAB_NOT_FOUND',
          'BROWSER_UNRESPONSIVE',
          'QUOTA_EXCEEDED',
          'STORAGE_FULL',
          'SERVICE_SHUTTING_DOWN',
        ],
      ),
    },
    handler: async (request, reply) => {
      const { principal, params: where, body, headers } = request;
      const reveal = revealFor(request, body.reveal);
      if (headers.accept?.includes(harType)) {
        const har = await network.har(principal.projectId, where.id, body, reveal);
        return reply
          .headers({
            ...bytesHeaders({ name: 'network.har', mimeType: harType }),
            'content-length': har.length,
          })
          .send(har);
      }
      const record = await network.harFile(principal.projectId, where.id, body, reveal);
      return reply
        .code(201)
        .header('location', `/v1/browsers/${where.id}/files/${record.id}`)
        .send(fileView(record));
    },
  });
}
