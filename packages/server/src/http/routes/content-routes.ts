/** What everything with bytes has in common over HTTP: its content, and addresses of it that need no key. */
import type { Readable } from 'node:stream';
import { z } from 'zod';
import {
  type ContentAddress,
  contentAddressSchema,
  createContentAddressSchema,
} from '../../artifacts/schema.ts';
import type { ErrorCode } from '../../errors.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { contentAddress, type SigningParts, sendContent } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

interface Kept {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  sha256: string;
  expiresAt?: number | null;
  /** Throws when it went meanwhile. */
  open(range?: { start: number; end: number }): Promise<Readable>;
}

interface ContentRoutes {
  /** Of the record, as a pattern; its last parameter names the record. */
  url: string;
  param: string;
  /** In words of the document. */
  noun: string;
  /** After the noun, in titles. */
  ofWhat?: string;
  tag: string;
  controller: string;
  params: z.ZodObject;
  exampleId: string;
  /** What is said of the content before everything that is true of all. */
  about?: string;
  /** Of a record that is not there, or has no content. */
  codes: readonly ErrorCode[];
  /** Throws for one that is not there, or has no content. */
  find(projectId: string, params: Record<string, string>): Promise<Kept>;
}

const aboutContent =
  'Its bytes, streamed, as an attachment. `ETag` is the SHA-256; `If-None-Match`, `If-Range` and a `Range` of one part are honoured, and `HEAD` answers with the headers alone.';

const security: Record<string, string[]>[] = [{ bearer: [] }, { token: [] }];

const tokenQuery = z.strictObject({
  token: z.string().optional().meta({
    description: 'Of a signed address (`POST …/address`), instead of a key.',
  }),
});

export function contentRoutes(app: App, signing: SigningParts, routes: ContentRoutes): void {
  const { url, param, noun, tag, controller, params, find } = routes;
  const title = routes.ofWhat ? `${noun} ${routes.ofWhat}` : noun;
  const pathOf = (id: string, browserId = ''): string =>
    url.replace(`:${param}`, id).replace(':id', browserId);
  const example: ContentAddress = {
    url: `https://browsers.example.com${pathOf(routes.exampleId, browserExample.id)}/content?token=bdc_…`,
    expiresAt: '2026-01-01T13:00:00.000Z',
  };

  app.route({
    method: 'GET',
    url: `${url}/content`,
    config: { answers: 'anywhere', capability: 'content', capabilityOf: param },
    schema: {
      operationId: `${controller}_content`,
      summary: `Get the content of a ${title}`,
      description: `${routes.about ?? ''}${aboutContent}`,
      tags: [tag],
      security,
      params,
      querystring: tokenQuery,
      response: answers(
        {
          200: { description: 'All bytes.', type: '*/*' },
          206: { description: 'The bytes of the `Range`.', type: '*/*' },
          304: { description: 'Not changed since the `ETag` of `If-None-Match`.' },
        },
        [...routes.codes, 'RANGE_NOT_SATISFIABLE'],
      ),
    },
    handler: async (request, reply) => {
      const record = await find(request.principal.projectId, request.params as Record<string, string>);
      return sendContent(request, reply, record);
    },
  });

  app.route({
    method: 'POST',
    url: `${url}/address`,
    config: {
      answers: 'anywhere',
      bodyOptional: true,
      examples: { request: { ttlSeconds: 3600 }, response: example },
    },
    schema: {
      operationId: `${controller}_address`,
      summary: `Issue a signed address of a ${title}`,
      description: `An address of its content that needs no key: for a \`<video>\`, a person, a service that fetches it. Everybody who has it can read this one ${noun}, also in parts, until it expires; it ends with the ${noun}, and with the key that asked for it. Takes no \`Idempotency-Key\`: each call makes another address.`,
      tags: [tag],
      params,
      body: createContentAddressSchema,
      response: answers({ 201: { description: 'The address.', schema: contentAddressSchema } }, [
        ...bodyCodes,
        ...routes.codes,
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) => {
      const ids = request.params as Record<string, string>;
      const { id, expiresAt: recordExpiresAt } = await find(request.principal.projectId, ids);
      const wanted = { path: pathOf(id, ids.id), id, browserId: ids.id, recordExpiresAt };
      const made = await contentAddress(signing, request, { ...wanted, ...request.body });
      return reply.code(201).send(made);
    },
  });
}
