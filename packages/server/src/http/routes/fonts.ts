/** Fonts of the project: uploaded, listed, deleted. Every page of the project finds them by name, and none of another does. */
import { z } from 'zod';
import { type Fonts, mostFontBytes } from '../../fonts/fonts.ts';
import { deletedFontSchema, type Font, fontSchema } from '../../fonts/schema.ts';
import { answers, pageOf, pageQuery } from '../contract/contract.ts';
import { acceptAnyBody, readUpload } from '../in/in.ts';
import type { App } from '../wire/wire.ts';

const example: Font = {
  id: 'font_01ja9q4m8h2f7t3k5w6x8y0z1a',
  format: 'ttf',
  faces: [
    {
      family: 'Example Sans',
      style: 'Bold',
      fullName: 'Example Sans Bold',
      postScriptName: 'ExampleSans-Bold',
    },
  ],
  size: 148_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  createdAt: '2026-01-01T12:00:00.000Z',
};

const params = z.object({ fontId: z.string().meta({ examples: [example.id] }) });
const tags = ['Fonts'];
const font = { description: 'The font.', schema: fontSchema };

interface FontParts {
  fonts: Pick<Fonts, 'refuseUpload' | 'add' | 'list' | 'get' | 'remove'>;
}

export function fontRoutes(app: App, parts: FontParts): void {
  const { fonts } = parts;
  app.register(async (scope: App) => uploadRoute(scope, parts));

  app.route({
    method: 'GET',
    url: '/v1/fonts',
    config: { large: true, examples: { response: { items: [example], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'FontController_list',
      summary: 'List fonts',
      description: 'The fonts of the project, newest first.',
      tags,
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: 'A page of fonts.', schema: pageOf(fontSchema, 'FontPage') } },
        ['INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, query }) => fonts.list(principal.projectId, query),
  });

  app.route({
    method: 'GET',
    url: '/v1/fonts/:fontId',
    config: { examples: { response: example } },
    schema: {
      operationId: 'FontController_get',
      summary: 'Get a font',
      tags,
      params,
      response: answers({ 200: font }, ['FONT_NOT_FOUND']),
    },
    handler: async ({ principal, params: { fontId } }) => fonts.get(principal.projectId, fontId),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/fonts/:fontId',
    config: { examples: { response: { id: example.id, deleted: true } } },
    schema: {
      operationId: 'FontController_delete',
      summary: 'Delete a font',
      description:
        'Quick actions that begin after the answer do without it, and so does a browser from its next start on: a Chromium that runs keeps the fonts it started with.',
      tags,
      params,
      response: answers({ 200: { description: 'Deleted.', schema: deletedFontSchema } }, [
        'FONT_NOT_FOUND',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params: { fontId } }) => fonts.remove(principal.projectId, fontId),
  });
}

function uploadRoute(app: App, { fonts }: FontParts): void {
  acceptAnyBody(app);
  app.route({
    method: 'POST',
    url: '/v1/fonts',
    config: { upload: true, examples: { response: example } },
    schema: {
      operationId: 'FontController_create',
      summary: 'Upload a font',
      description:
        'A TTF, an OTF or a collection (TTC), as the body itself or as a form (`multipart/form-data`) with one part called `file`; at most 32 MiB, and 50 fonts in a project. Pages of the project’s quick actions and of browsers that start from then on find it by `font-family`, by `local()`, on a canvas and in header and footer templates. The same bytes are the same font: sent again they are answered with 200 and the record that is there, so there is no `Idempotency-Key`. Without strict isolation only keys of the role `admin` may upload, and none on macOS.',
      tags,
      response: answers({ 200: { ...font, description: 'The font, which was there already.' }, 201: font }, [
        'FORBIDDEN',
        'FEATURE_UNAVAILABLE',
        'FONT_INVALID',
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
      fonts.refuseUpload(principal.role);
      const upload = await readUpload(request, reply, { name: 'font', limitBytes: mostFontBytes });
      const { font: made, isNew } = await fonts.add(principal.projectId, upload);
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/v1/fonts/${made.id}`)
        .send(made);
    },
  });
}
