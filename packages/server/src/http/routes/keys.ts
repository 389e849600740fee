/** Keys of the caller's own project. Creating takes no Idempotency-Key: its answer holds a secret, which is kept nowhere. */
import { z } from 'zod';
import type { Access } from '../../access/access.ts';
import { createdKeySchema, createKeySchema, keySchema, revokedKeySchema } from '../../access/schema.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import type { App } from '../wire/wire.ts';

export function keyRoutes(app: App, { access }: { access: Access }): void {
  app.route({
    method: 'GET',
    url: '/v1/keys',
    config: { role: 'admin' },
    schema: {
      operationId: 'KeyController_list',
      summary: 'List keys',
      description: 'The keys of the project, newest first, without their secrets.',
      tags: ['Keys'],
      querystring: z.strictObject(pageQuery),
      response: answers({ 200: { description: 'A page of keys.', schema: pageOf(keySchema, 'KeyPage') } }, [
        'INVALID_CURSOR',
        'FORBIDDEN',
      ]),
    },
    handler: async (request) => access.listKeys(request.principal.projectId, request.query),
  });

  app.route({
    method: 'POST',
    url: '/v1/keys',
    config: { role: 'admin', examples: { request: { name: 'nightly reports', role: 'member' } } },
    schema: {
      operationId: 'KeyController_create',
      summary: 'Create a key',
      description: 'The answer is the only place where the secret is ever shown.',
      tags: ['Keys'],
      body: createKeySchema,
      response: answers({ 201: { description: 'The key, with its secret.', schema: createdKeySchema } }, [
        ...bodyCodes,
        'FORBIDDEN',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) =>
      reply.code(201).send(await access.createKey(request.principal.projectId, request.body)),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/keys/:keyId',
    config: { role: 'admin' },
    schema: {
      operationId: 'KeyController_revoke',
      summary: 'Revoke a key',
      description: 'The key is refused from the next request on.',
      tags: ['Keys'],
      params: z.object({ keyId: z.string() }),
      response: answers({ 200: { description: 'Revoked.', schema: revokedKeySchema } }, [
        'FORBIDDEN',
        'KEY_NOT_FOUND',
        'LAST_ADMIN_KEY',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request) => access.revokeKey(request.principal.projectId, request.params.keyId),
  });
}
