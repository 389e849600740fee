/** The document that describes the service. Public, because it holds nothing that the source does not. */
import { pageSchema } from '../contract/contract.ts';
import type { App } from '../wire/wire.ts';

export function openapiRoutes(app: App): void {
  // bytes, which are not copied for each client
  let bytes: Buffer | undefined;
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: pageSchema('OpenapiController_show', {
      summary: 'This document',
      description:
        'The OpenAPI document of the service that answers, generated from the schemas that it validates with.',
      type: 'application/json',
    }),
    handler: async (_request, reply) => {
      bytes ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').send(bytes);
    },
  });
}
