/** Files of the project: uploads and stored captures, which belong to no browser. */
import { z } from 'zod';
import { deletedArtifactSchema } from '../../artifacts/schema.ts';
import { type ProjectFiles, projectFileGone, projectFileView } from '../../files/files.ts';
import { fileTtlSchema, type ProjectFile, projectFileSchema } from '../../files/schema.ts';
import { answers, pageOf, pageQuery, wholeNumber } from '../contract/contract.ts';
import { acceptAnyBody, readUpload } from '../in/in.ts';
import type { SigningParts } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { contentRoutes } from './content-routes.ts';

export const projectFileExample: ProjectFile = {
  id: 'file_01ja9q4m8h2f7t3k5w6x8y0z1a',
  name: 'logo.png',
  size: 48_213,
  mimeType: 'image/png',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  source: 'upload',
  jobId: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  expiresAt: null,
};

const url = '/v1/files';
const params = z.object({ fileId: z.string().meta({ examples: [projectFileExample.id] }) });
const tags = ['Project files'];
const file = { description: 'The file.', schema: projectFileSchema };

interface ProjectFileParts {
  projectFiles: Pick<ProjectFiles, 'add' | 'list' | 'find' | 'open' | 'remove'>;
  signing: SigningParts;
  uploadLimit: number;
}

export function projectFileRoutes(app: App, parts: ProjectFileParts): void {
  const { projectFiles, signing } = parts;
  app.register(async (scope: App) => uploadRoute(scope, parts));

  app.route({
    method: 'GET',
    url,
    config: { examples: { response: { items: [projectFileExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'ProjectFileController_list',
      summary: 'List files of the project',
      description:
        'Uploads, captures that were stored, and what jobs made, newest first. Files of a browser are in its own list.',
      tags,
      querystring: z.strictObject({
        ...pageQuery,
        source: projectFileSchema.shape.source.optional(),
        jobId: z.string().max(64).optional().meta({ description: 'Only what this job made.' }),
      }),
      response: answers(
        { 200: { description: 'A page of files.', schema: pageOf(projectFileSchema, 'ProjectFilePage') } },
        ['INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, query }) => projectFiles.list(principal.projectId, query),
  });

  app.route({
    method: 'GET',
    url: `${url}/:fileId`,
    config: { examples: { response: projectFileExample } },
    schema: {
      operationId: 'ProjectFileController_get',
      summary: 'Get a file of the project',
      tags,
      params,
      response: answers({ 200: file }, ['FILE_NOT_FOUND']),
    },
    handler: async ({ principal, params: { fileId } }) =>
      projectFileView(await projectFiles.find(principal.projectId, fileId)),
  });

  contentRoutes(app, signing, {
    url: `${url}/:fileId`,
    param: 'fileId',
    noun: 'file',
    ofWhat: 'of the project',
    tag: 'Project files',
    controller: 'ProjectFileController',
    params,
    exampleId: projectFileExample.id,
    codes: ['FILE_NOT_FOUND'],
    find: async (projectId, { fileId = '' }) => {
      const record = await projectFiles.find(projectId, fileId);
      return {
        ...record,
        open: async (range) => {
          const opened = await projectFiles.open(record, range);
          if (!opened) throw projectFileGone();
          return opened;
        },
      };
    },
  });

  app.route({
    method: 'DELETE',
    url: `${url}/:fileId`,
    config: { examples: { response: { id: projectFileExample.id, deleted: true } } },
    schema: {
      operationId: 'ProjectFileController_delete',
      summary: 'Delete a file of the project',
      description:
        'Record and bytes are gone when it answers, and no longer count towards the quota. Its signed addresses end with it; what is being read of it is read to the end.',
      tags,
      params,
      response: answers({ 200: { description: 'Deleted.', schema: deletedArtifactSchema } }, [
        'FILE_NOT_FOUND',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params: { fileId } }) => {
      if (!(await projectFiles.remove(principal.projectId, fileId))) throw projectFileGone();
      return { id: fileId, deleted: true };
    },
  });
}

const uploadQuery = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .meta({
      description: 'The name of the file. Optional with a form, whose file name it then replaces.',
      examples: ['logo.png'],
    }),
  ttlSeconds: z.preprocess(wholeNumber, fileTtlSchema.optional()),
});

function uploadRoute(app: App, { projectFiles, uploadLimit }: ProjectFileParts): void {
  acceptAnyBody(app);
  app.route({
    method: 'POST',
    url,
    config: { upload: true, examples: { response: projectFileExample } },
    schema: {
      operationId: 'ProjectFileController_create',
      summary: 'Upload a file to the project',
      description:
        'The bytes as the body with `?name=`, or a form (`multipart/form-data`) with one part called `file`. `Content-Type` is a hint, the content decides. The file stays until it is deleted, or for `ttlSeconds`. An upload is never made twice by the service, so there is no `Idempotency-Key`: compare `sha256` after a retry.',
      tags,
      querystring: uploadQuery,
      response: answers({ 201: file }, [
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
      const { name, ttlSeconds } = request.query;
      const { chunks: content, ...upload } = await readUpload(request, reply, {
        name,
        limitBytes: uploadLimit,
      });
      const record = await projectFiles.add({
        projectId,
        source: 'upload',
        ...upload,
        content,
        ttlSeconds,
      });
      return reply.code(201).header('location', `${url}/${record.id}`).send(projectFileView(record));
    },
  });
}
