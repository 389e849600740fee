/** Files that a caller gives to a browser, and those that a browser made. */
import { z } from 'zod';
import { fileView } from '../../artifacts/artifacts.ts';
import { type File, fileSchema } from '../../artifacts/schema.ts';
import { nextStepOf, uploadRefusal } from '../../browsers/browsers.ts';
import type { Browser } from '../../browsers/record/schema.ts';
import { ApiError } from '../../errors.ts';
import { answers } from '../contract/contract.ts';
import { acceptAnyBody, readUpload } from '../in/in.ts';
import type { App } from '../wire/wire.ts';
import { type ArtifactRoutesParts, artifactRoutes, browserParams } from './artifact-routes.ts';
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

export interface FileParts extends ArtifactRoutesParts {
  uploadLimit: number;
}

/** Files of a browser, also of a closed one for as long as its record is kept. */
export function fileRoutes(app: App, parts: FileParts): void {
  artifactRoutes(app, parts, {
    kind: 'file',
    plural: 'files',
    tag: 'Files',
    controller: 'FileController',
    schema: fileSchema,
    pageId: 'FilePage',
    example: fileExample,
    notFound: 'FILE_NOT_FOUND',
    about: {
      list: 'The files of the browser, newest first: uploaded ones, and those its scripts, screenshots and PDFs made.',
      content: '',
      remove: 'Record and bytes are gone when it answers, and no longer count towards the quota.',
    },
    view: fileView,
    remove: (owner, id) => parts.artifacts.remove(owner, id),
  });
  app.register(async (scope: App) => uploadRoute(scope, parts));
}

const security: Record<string, string[]>[] = [{ bearer: [] }, { token: [] }];

const uploadQuery = z.strictObject({
  token: z.string().optional().meta({
    description:
      'A signed token of the kind `live` with `mode: control`, instead of a key: for the person who picks a file for a page.',
  }),
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
    config: {
      answers: 'holder, or any',
      upload: true,
      capability: 'live',
      examples: { response: fileExample },
    },
    schema: {
      operationId: 'FileController_create',
      summary: 'Upload a file',
      description:
        'The bytes as the body with `?name=`, or a form (`multipart/form-data`) with one part called `file`. `Content-Type` is a hint, the content decides. Also while the browser is stopped; an upload is never made twice by the service, so there is no `Idempotency-Key`: compare `sha256` after a retry. `policy.uploads` is obeyed: where the mode is `deny` nothing is taken, and a file whose content is of no allowed type is not kept.',
      tags: ['Files'],
      security,
      params: browserParams,
      querystring: uploadQuery,
      response: answers({ 201: { description: 'The file.', schema: fileSchema } }, [
        'FORBIDDEN',
        'POLICY_BLOCKED',
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
      if (request.grant?.mode === 'view')
        throw new ApiError(
          'FORBIDDEN',
          'This address is for watching only. Ask for one with `mode: control`.',
        );
      const browser = await browsers.get(projectId, request.params.id);
      refuseOver(browser);
      const accepts = (mimeType?: string): void => {
        const refusal = uploadRefusal(browser.policy, { mimeType });
        if (refusal) throw refusal;
      };
      accepts();
      const { name } = request.query;
      const { chunks: body, ...upload } = await readUpload(request, reply, { name, limitBytes: uploadLimit });
      const owner = { projectId, browserId: browser.id, kind: 'file', source: 'upload' } as const;
      const record = await artifacts.add({ ...owner, ...upload, accepts, body, limitBytes: uploadLimit });
      return reply
        .code(201)
        .header('location', `/v1/browsers/${browser.id}/files/${record.id}`)
        .send(fileView(record));
    },
  });
}

/** A browser that can be resumed takes files; a closed one does not. */
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
