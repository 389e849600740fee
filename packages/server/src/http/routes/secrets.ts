/**
 * Secrets of the caller's own project: put in, changed, listed and typed into pages; never read. Creating takes no
 * Idempotency-Key, under which a hash of the value would be kept: the name is enough to tell a repetition.
 */
import { z } from 'zod';
import { ApiError, type ErrorCode, errorTable } from '../../errors.ts';
import type { Scripts } from '../../page/page.ts';
import type { Execution } from '../../page/script/schema.ts';
import {
  createSecretSchema,
  deletedSecretSchema,
  filledSecretSchema,
  fillSecretSchema,
  patchSecretSchema,
  type Secret,
  secretSchema,
} from '../../secrets/schema.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import { type App, hangUp } from '../wire/wire.ts';

const example: Secret = {
  id: 'secret_01ja9q4m8h2f7t3k5w6x8y0z1a',
  name: 'github/password',
  kind: 'value',
  origins: ['https://github.com'],
  metadata: {},
  createdAt: '2026-01-01T12:00:00.000Z',
  updatedAt: '2026-01-01T12:00:00.000Z',
};

const params = z.object({ secretId: z.string().meta({ examples: [example.id] }) });
const admin = { role: 'admin' } as const;
const tags = ['Secrets'];

interface SecretParts {
  secrets: Pick<Secrets, 'create' | 'list' | 'get' | 'change' | 'remove'>;
  scripts: Pick<Scripts, 'execute'>;
}

export function secretRoutes(app: App, parts: SecretParts): void {
  const { secrets } = parts;
  app.route({
    method: 'GET',
    url: '/v1/secrets',
    config: { large: true, examples: { response: { items: [example], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'SecretController_list',
      summary: 'List secrets',
      description: 'The secrets of the project, newest first, without their values.',
      tags,
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: 'A page of secrets.', schema: pageOf(secretSchema, 'SecretPage') } },
        ['INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, query }) => secrets.list(principal.projectId, query),
  });

  app.route({
    method: 'POST',
    url: '/v1/secrets',
    config: {
      ...admin,
      examples: {
        request: { name: example.name, value: 'correct horse battery staple', origins: example.origins },
        response: example,
      },
    },
    schema: {
      operationId: 'SecretController_create',
      summary: 'Create a secret',
      description:
        'A value, or the seed of codes by time (`totp`), which the service types into pages of the `origins` and nowhere else. No call ever answers the value. A project may have 1000 secrets, of which those with long values take up more.',
      tags,
      body: createSecretSchema,
      response: answers({ 201: { description: 'The secret, without its value.', schema: secretSchema } }, [
        'FORBIDDEN',
        'SECRET_EXISTS',
        'TOO_MANY_SECRETS',
        'SERVICE_SHUTTING_DOWN',
        ...bodyCodes,
      ]),
    },
    handler: async ({ principal, body }, reply) =>
      reply.code(201).send(await secrets.create(principal.projectId, body)),
  });

  oneSecretRoutes(app, secrets);
  fillRoute(app, parts);
}

function oneSecretRoutes(app: App, secrets: SecretParts['secrets']): void {
  app.route({
    method: 'GET',
    url: '/v1/secrets/:secretId',
    config: { examples: { response: example } },
    schema: {
      operationId: 'SecretController_get',
      summary: 'Get a secret',
      description: 'Without its value.',
      tags,
      params,
      response: answers({ 200: { description: 'The secret.', schema: secretSchema } }, ['SECRET_NOT_FOUND']),
    },
    handler: async ({ principal, params }) => secrets.get(principal.projectId, params.secretId),
  });

  app.route({
    method: 'PATCH',
    url: '/v1/secrets/:secretId',
    config: { ...admin, examples: { request: { origins: example.origins }, response: example } },
    schema: {
      operationId: 'SecretController_update',
      summary: 'Change a secret',
      description: 'Fields that are absent stay as they are; its name cannot be changed.',
      tags,
      params,
      body: patchSecretSchema,
      response: answers({ 200: { description: 'The secret as it is now.', schema: secretSchema } }, [
        'FORBIDDEN',
        'SECRET_NOT_FOUND',
        'TOO_MANY_SECRETS',
        'SERVICE_SHUTTING_DOWN',
        ...bodyCodes,
      ]),
    },
    handler: async ({ principal, params, body }) =>
      secrets.change(principal.projectId, params.secretId, body),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/secrets/:secretId',
    config: { ...admin, examples: { response: { id: example.id, deleted: true } } },
    schema: {
      operationId: 'SecretController_delete',
      summary: 'Delete a secret',
      tags,
      params,
      response: answers({ 200: { description: 'Deleted.', schema: deletedSecretSchema } }, [
        'FORBIDDEN',
        'SECRET_NOT_FOUND',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params }) => secrets.remove(principal.projectId, params.secretId),
  });
}

/** Playwright finds the field, as for every step; the service types. */
const fillCode =
  'return secrets.fill(page.locator(args.selector).first(), args.secret, { timeout: args.timeoutMs });';
/** For what comes after the field was found. */
const typingMs = 15_000;

function fillRoute(app: App, { scripts }: SecretParts): void {
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/secrets/fill',
    config: {
      examples: {
        request: { secret: example.name, selector: 'input[type=password]' },
        response: { filled: true, secret: example.name, origin: 'https://github.com' },
      },
    },
    schema: {
      operationId: 'SecretController_fill',
      summary: 'Type a secret into a field',
      description:
        'Replaces what the field holds with the secret, or with its code of the moment. The service types it, after it has looked at the origin of the document that the field is in.',
      tags,
      params: z.object({ id: z.string() }),
      body: fillSecretSchema,
      response: answers({ 200: { description: 'It stands in the field.', schema: filledSecretSchema } }, [
        ...bodyCodes,
        'BROWSER_NOT_FOUND',
        'TAB_NOT_FOUND',
        'BROWSER_NOT_READY',
        'SECRET_NOT_FOUND',
        'SECRET_ORIGIN_MISMATCH',
        'SECRET_FIELD_UNUSABLE',
        'SECRET_CLIENT_ATTACHED',
        'TOO_MANY_SECRETS',
        'SELECTOR_NOT_FOUND',
        'ELEMENT_NOT_ACTIONABLE',
        'SCRIPT_FAILED',
        'SCRIPT_TIMEOUT',
        'SCRIPT_QUEUE_FULL',
        'DIALOG_OPEN',
        'PAGE_CRASHED',
        'BROWSER_CRASHED',
        'BROWSER_UNRESPONSIVE',
        'RUNNER_UNAVAILABLE',
        'ISOLATION_UNAVAILABLE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params, body }, reply) => {
      const { secret, selector, tabId, timeoutMs } = body;
      const execution = await scripts.execute(
        principal,
        params.id,
        {
          code: fillCode,
          args: { secret, selector, timeoutMs },
          timeoutMs: timeoutMs + typingMs,
          returnOnDialog: false,
          ...(tabId !== undefined && { tabId }),
        },
        hangUp(reply.raw),
      );
      const { origin } = resultOf(execution);
      return { filled: true as const, secret, origin };
    },
  });
}

function resultOf({ success, result, error }: Execution): { origin: string } {
  if (success) return result as { origin: string };
  const { code = 'SCRIPT_FAILED', message = 'The field could not be filled.', details } = error ?? {};
  throw new ApiError(code in errorTable ? (code as ErrorCode) : 'SCRIPT_FAILED', message, { details });
}
