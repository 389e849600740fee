/** Many browsers closed with one call. */
import type { FastifyRequest } from 'fastify';
import { type Browsers, closeMany } from '../../browsers/browsers.ts';
import { closedManySchema, closeManySchema } from '../../browsers/record/close-many-schema.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import type { Once } from '../gate/gate.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const receipt = { processesEnded: 6, bytesFreed: 4_194_304, recordings: 0, durationMs: 87 };

interface CloseBrowsersParts {
  browsers: Browsers;
  once: Once;
  /** Closes also what other nodes hold, where there are others, in the name of the caller. */
  closeFor?(request: FastifyRequest): Browsers['close'];
}

export function closeBrowsersRoutes(app: App, { browsers, once, closeFor }: CloseBrowsersParts): void {
  app.route({
    method: 'POST',
    url: '/v1/browsers/close',
    config: {
      idempotency: 'required',
      examples: {
        request: { metadata: { team: 'red' } },
        response: {
          closed: [{ id: browserExample.id, status: 'closed', closedAt: browserExample.createdAt, receipt }],
          failed: [],
          hasMore: false,
        },
      },
    },
    schema: {
      operationId: 'BrowserController_closeMany',
      summary: 'Close many browsers',
      description:
        'Closes the browsers of the project that fit all that is given, 1,000 at most, and answers with a receipt of each. One that cannot be closed does not hold up the others.',
      tags: ['Browsers'],
      body: closeManySchema,
      response: answers({ 200: { description: 'Receipts, and what failed.', schema: closedManySchema } }, [
        ...bodyCodes,
        'IDEMPOTENCY_KEY_REQUIRED',
        'IDEMPOTENCY_KEY_REUSED',
        'IDEMPOTENCY_KEY_IN_USE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => {
        const close = closeFor?.(request) ?? ((projectId, id) => browsers.close(projectId, id));
        const all: Pick<Browsers, 'get' | 'list' | 'close'> = {
          get: (projectId, id) => browsers.get(projectId, id),
          list: (projectId, query) => browsers.list(projectId, query),
          close,
        };
        return { statusCode: 200, body: await closeMany(all, request.principal.projectId, request.body) };
      }),
  });
}
