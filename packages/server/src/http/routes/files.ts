import { z } from 'zod';
import { type ArtifactRecord, type Artifacts, fileView } from '../../artifacts/artifacts.ts';
import { deletedFileSchema, type File, fileSchema } from '../../artifacts/schema.ts';
import type { Browsers } from '../../browsers/browsers.ts';
import { nextStepOf } from '../../browsers/lifecycle.ts';
import type { Browser } from '../../browsers/schema.ts';
import { ApiError } from '../../errors.ts';
import type { App } from '../app.ts';
import { sendContent } from '../content.ts';
import { answers, pageOf, pageQuery } from '../schemas.ts';
import { acceptAnyBody, readUpload } from '../upload.ts';
import { browserExample } from './browser-examples.ts';

const fileExample: File = {
  id: 'file_01ja9q4m8h2f7t3k5w6x8y0z1a',
  name: 'invoice.pdf',
  size: 48_213,
  mimeType: 'application/pdf',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  source: 'upload',
  createdAt: browserExample.createdAt,
};

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const fileParams = params.extend({ fileId: z.string().meta({ examples: [fileExample.id] }) });
const file = { description: 'The file.', schema: fileSchema };

export interface FileParts {
  browsers: Browsers;
  artifacts: Artifacts;
  uploadLimit: number;
}

/** Files of a browser, also of a closed one for as long as its record is kept. */
export function fileRoutes(app: App, parts: FileParts): void {
  const { browsers, artifacts } = parts;

  const find = async (projectId: string, ids: { id: string; fileId: string }): Promise<ArtifactRecord> => {
    await browsers.get(projectId, ids.id);
    const record = await artifacts.get({ projectId, browserId: ids.id }, ids.fileId);
    return record ?? missing(ids.fileId);
  };

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/files',
    config: { examples: { response: { items: [fileExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'FileController_list',
      summary: 'List files',
      description:
        'The files of the browser, newest first: uploaded ones, and those its scripts, screenshots and PDFs made.',
      tags: ['Files'],
      params,
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: 'A page of files.', schema: pageOf(fileSchema, 'FilePage') } },
        ['INVALID_CURSOR', 'BROWSER_NOT_FOUND'],
      ),
    },
    handler: async ({ principal: { projectId }, params: { id }, query }) => {
      await browsers.get(projectId, id);
      const page = await artifacts.list({ projectId, browserId: id, kind: 'file' }, query);
      return { ...page, items: page.items.map(fileView) };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/files/:fileId',
    config: { examples: { response: fileExample } },
    schema: {
      operationId: 'FileController_get',
      summary: 'Get a file',
      tags: ['Files'],
      params: fileParams,
      response: answers({ 200: file }, ['BROWSER_NOT_FOUND', 'FILE_NOT_FOUND']),
    },
    handler: async (request) => fileView(await find(request.principal.projectId, request.params)),
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/files/:fileId/content',
    schema: {
      operationId: 'FileController_content',
      summary: 'Get the content of a file',
      description:
        'Its bytes, streamed, as an attachment. `ETag` is the SHA-256; `If-None-Match`, `If-Range` and a `Range` of one part are honoured, and `HEAD` answers with the headers alone.',
      tags: ['Files'],
      params: fileParams,
      response: answers(
        {
          200: { description: 'All bytes.', type: '*/*' },
          206: { description: 'The bytes of the `Range`.', type: '*/*' },
          304: { description: 'Not changed since the `ETag` of `If-None-Match`.' },
        },
        ['BROWSER_NOT_FOUND', 'FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
      ),
    },
    handler: async (request, reply) => {
      const record = await find(request.principal.projectId, request.params);
      const open = async (range?: { start: number; end: number }) =>
        (await artifacts.open(record, range)) ?? missing(record.id);
      return sendContent(request, reply, { ...record, open });
    },
  });

  app.route({
    method: 'DELETE',
    url: '/v1/browsers/:id/files/:fileId',
    config: { examples: { response: { id: fileExample.id, deleted: true } } },
    schema: {
      operationId: 'FileController_delete',
      summary: 'Delete a file',
      description: 'Record and bytes are gone when it answers, and no longer count towards the quota.',
      tags: ['Files'],
      params: fileParams,
      response: answers({ 200: { description: 'Deleted.', schema: deletedFileSchema } }, [
        'BROWSER_NOT_FOUND',
        'FILE_NOT_FOUND',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal: { projectId }, params: { id, fileId } }) => {
      await browsers.get(projectId, id);
      if (!(await artifacts.remove({ projectId, browserId: id }, fileId))) missing(fileId);
      return { id: fileId, deleted: true };
    },
  });

  app.register(async (scope: App) => uploadRoute(scope, parts));
}

const uploadQuery = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .meta({
      description: 'The name of the file. Optional with a form, whose file name it then replaces.',
      examples: ['invoice.pdf'],
    }),
});

function uploadRoute(app: App, { browsers, artifacts, uploadLimit }: FileParts): void {
  acceptAnyBody(app);
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/files',
    config: { upload: true, examples: { response: fileExample } },
    schema: {
      operationId: 'FileController_create',
      summary: 'Upload a file',
      description:
        'The bytes as the body with `?name=`, or a form (`multipart/form-data`) with one part called `file`. `Content-Type` is a hint, the content decides. Also while the browser is stopped; an upload is never made twice by the service, so there is no `Idempotency-Key`: compare `sha256` after a retry.',
      tags: ['Files'],
      params,
      querystring: uploadQuery,
      response: answers({ 201: file }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'PAYLOAD_TOO_LARGE',
        'QUOTA_EXCEEDED',
        'UNSUPPORTED_MEDIA_TYPE',
        'REQUEST_TIMEOUT',
        'STORAGE_FULL',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) => {
      const { projectId } = request.principal;
      const browser = await browsers.get(projectId, request.params.id);
      refuseOver(browser);
      const { name } = request.query;
      const { chunks: body, ...upload } = await readUpload(request, reply, { name, limitBytes: uploadLimit });
      const owner = { projectId, browserId: browser.id, kind: 'file', source: 'upload' } as const;
      const record = await artifacts.add({ ...owner, ...upload, body, limitBytes: uploadLimit });
      return reply
        .code(201)
        .header('location', `/v1/browsers/${browser.id}/files/${record.id}`)
        .send(fileView(record));
    },
  });
}

/** What can come back may be given files; what is over may not. */
function refuseOver({ id, status, statusReason }: Browser): void {
  const nextStep = nextStepOf(status);
  if (nextStep !== 'create_browser') return;
  throw new ApiError(
    'BROWSER_NOT_READY',
    `Browser ${id} is ${status} and takes no more files. Create a new one.`,
    {
      nextStep,
      details: { status, statusReason },
    },
  );
}

function missing(id: string): never {
  throw new ApiError('FILE_NOT_FOUND', `There is no file ${id} in this browser. List them: GET …/files.`);
}
