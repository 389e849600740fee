/** The document that describes the service. Public, because it holds nothing that the source does not. */
import type { App } from '../wire/wire.ts';

export function openapiRoutes(app: App): void {
  // bytes, which are not copied for each client
  let bytes: Buffer | undefined;
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: { hide: true },
    handler: async (_request, reply) => {
      bytes ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').send(bytes);
    },
  });
}
