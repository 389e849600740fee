/** Extensions for Chromium: uploaded, listed, deleted. A create names them in `extensions`. */
import { z } from 'zod';
import { type Extensions, mostUploadBytes } from '../../extensions/extensions.ts';
import { deletedExtensionSchema, type Extension, extensionSchema } from '../../extensions/schema.ts';
import { answers, pageOf, pageQuery } from '../contract/contract.ts';
import { acceptAnyBody, readUpload } from '../in/in.ts';
import type { App } from '../wire/wire.ts';

const example: Extension = {
  id: 'extension_01ja9q4m8h2f7t3k5w6x8y0z1a',
  name: 'Price watch',
  version: '1.4.0',
  chromiumId: 'jfjfmjnpjaahfbeiolagigadgfnpddfi',
  manifestVersion: 3,
  description: 'Marks prices that have fallen.',
  permissions: ['storage'],
  optionalPermissions: [],
  hostPermissions: ['https://*.example.com/*'],
  optionalHostPermissions: [],
  popup: 'popup.html',
  size: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  createdAt: '2026-01-01T12:00:00.000Z',
};

const params = z.object({ extensionId: z.string().meta({ examples: [example.id] }) });
const tags = ['Extensions'];
const extension = { description: 'The extension.', schema: extensionSchema };

interface ExtensionParts {
  extensions: Pick<Extensions, 'refuseChange' | 'add' | 'list' | 'get' | 'remove'>;
}

export function extensionRoutes(app: App, parts: ExtensionParts): void {
  const { extensions } = parts;
  app.register(async (scope: App) => uploadRoute(scope, parts));

  app.route({
    method: 'GET',
    url: '/v1/extensions',
    config: { large: true, examples: { response: { items: [example], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'ExtensionController_list',
      summary: 'List extensions',
      description: 'The extensions of the project, newest first.',
      tags,
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: 'A page of extensions.', schema: pageOf(extensionSchema, 'ExtensionPage') } },
        ['INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, query }) => extensions.list(principal.projectId, query),
  });

  app.route({
    method: 'GET',
    url: '/v1/extensions/:extensionId',
    config: { examples: { response: example } },
    schema: {
      operationId: 'ExtensionController_get',
      summary: 'Get an extension',
      tags,
      params,
      response: answers({ 200: extension }, ['EXTENSION_NOT_FOUND']),
    },
    handler: async ({ principal, params: { extensionId } }) =>
      extensions.get(principal.projectId, extensionId),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/extensions/:extensionId',
    config: { examples: { response: { id: example.id, deleted: true } } },
    schema: {
      operationId: 'ExtensionController_delete',
      summary: 'Delete an extension',
      description:
        'Its package is gone when it answers. One that a browser uses is not deleted before that browser is closed: a stopped one needs it to resume.',
      tags,
      params,
      response: answers({ 200: { description: 'Deleted.', schema: deletedExtensionSchema } }, [
        'FORBIDDEN',
        'FEATURE_UNAVAILABLE',
        'EXTENSION_NOT_FOUND',
        'EXTENSION_IN_USE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params: { extensionId } }) => {
      extensions.refuseChange(principal.role);
      return extensions.remove(principal.projectId, extensionId);
    },
  });
}

function uploadRoute(app: App, { extensions }: ExtensionParts): void {
  acceptAnyBody(app);
  app.route({
    method: 'POST',
    url: '/v1/extensions',
    config: { upload: true, examples: { response: example } },
    schema: {
      operationId: 'ExtensionController_create',
      summary: 'Upload an extension',
      description:
        'A ZIP file with `manifest.json` at its top, or a CRX of version 3: as the body itself, or as a form (`multipart/form-data`) with one part called `file`. Manifest V3 only. At most 32 MiB, 128 MiB and 5,000 files unpacked, and 100 extensions in a project. A permission that would let the extension out of the browser is refused by name. An upload is never made twice by the service, so there is no `Idempotency-Key`: compare `sha256` after a retry. `BROWSERD_EXTENSIONS` decides which keys may upload: by default those of the role `admin`.',
      tags,
      response: answers({ 201: extension }, [
        'FORBIDDEN',
        'FEATURE_UNAVAILABLE',
        'EXTENSION_INVALID',
        'PAYLOAD_TOO_LARGE',
        'QUOTA_EXCEEDED',
        'UNSUPPORTED_MEDIA_TYPE',
        'REQUEST_TIMEOUT',
        'STORAGE_FULL',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) => {
      const { principal } = request;
      extensions.refuseChange(principal.role);
      const upload = await readUpload(request, reply, { name: 'extension', limitBytes: mostUploadBytes });
      const made = await extensions.add(principal.projectId, upload);
      return reply.code(201).header('location', `/v1/extensions/${made.id}`).send(made);
    },
  });
}
