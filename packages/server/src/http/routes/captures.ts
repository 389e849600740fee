/** Screenshots and PDFs of a living browser's tab. */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type ArtifactRecord, fileView } from '../../artifacts/artifacts.ts';
import { type File, fileSchema } from '../../artifacts/schema.ts';
import type { ErrorCode } from '../../errors.ts';
import {
  type ComparedPicture,
  comparedSchema,
  type Pictures,
  pdfSchema,
  picturesSchema,
  screenshotSchema,
} from '../../page/capture/schema.ts';
import type {
  Captured,
  CapturedElement,
  CapturedPicture,
  Captures,
  ComparedCapture,
} from '../../page/page.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { bytesHeaders } from '../out/out.ts';
import { type App, hangUp } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });

const pdfExample: File = {
  id: 'file_01ja9q4m8h2f7t3k5w6x8y0z1b',
  name: 'page.pdf',
  size: 48_213,
  mimeType: 'application/pdf',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  source: 'pdf',
  createdAt: browserExample.createdAt,
};

const failures: ErrorCode[] = [
  ...bodyCodes,
  'BROWSER_NOT_FOUND',
  'TAB_NOT_FOUND',
  'BROWSER_NOT_READY',
  'DIALOG_OPEN',
  'SELECTOR_NOT_FOUND',
  'ELEMENT_NOT_ACTIONABLE',
  'PAGE_NOT_WANTED',
  'CAPTURE_TOO_LARGE',
  'SCRIPT_FAILED',
  'QUICK_ACTION_TIMEOUT',
  'SCRIPT_QUEUE_FULL',
  'PAGE_CRASHED',
  'BROWSER_CRASHED',
  'BROWSER_UNRESPONSIVE',
  'QUOTA_EXCEEDED',
  'STORAGE_FULL',
  'SERVICE_SHUTTING_DOWN',
];

const stored = { description: 'With `store`: the file.', schema: fileSchema };
const storedPictures = {
  description: 'With `store`: the file, or all of them with `selectors` or `baseline`.',
  schema: z.union([fileSchema, picturesSchema, comparedSchema]),
};

/** What a tab looks like, as bytes or as a file of the browser. Neither waits for scripts. */
export function captureRoutes(
  app: App,
  { captures }: { captures: Pick<Captures, 'screenshot' | 'pdf'> },
): void {
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/screenshot',
    config: {
      examples: {
        request: { format: 'jpeg', quality: 80, fullPage: true },
        response: { ...pdfExample, name: 'screenshot.jpg', mimeType: 'image/jpeg', source: 'screenshot' },
      },
    },
    schema: {
      operationId: 'ScreenshotController_create',
      summary: 'Take a screenshot',
      description:
        'A picture of a tab, also while a script runs. Web fonts that are loading are waited for, for a moment. Scroll position, viewport and focus stay as they are; drawing what does not show makes the page hear a `resize`, and the engine `full` brings a tab that is not the active one to the front while it is drawn. While a dialog is open or the page is too busy to be drawn, a png or jpeg of the viewport is the last frame that was drawn, in CSS pixels.',
      tags: ['Captures'],
      params,
      body: screenshotSchema,
      response: answers(
        {
          200: {
            description: 'The picture.',
            type: 'image/*',
            schema: z.union([picturesSchema, comparedSchema]),
          },
          201: storedPictures,
        },
        [...failures, 'FILE_NOT_FOUND', 'BASELINE_INVALID'],
      ),
    },
    handler: async ({ principal, params: { id }, body }, reply) => {
      const made = await captures.screenshot(principal.projectId, id, body, hangUp(reply.raw));
      const code = body.store ? 201 : 200;
      if (Array.isArray(made)) return reply.code(code).send(picturesView(made));
      return 'comparison' in made ? reply.code(code).send(comparedView(made)) : send(reply, made);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/pdf',
    config: {
      examples: {
        request: { format: 'a4', margin: { top: '20mm', bottom: '20mm' }, printBackground: true },
        response: pdfExample,
      },
    },
    schema: {
      operationId: 'PdfController_create',
      summary: 'Print to PDF',
      description:
        'A tab as PDF, streamed, also while a script runs. Web fonts that are loading are waited for, for a moment.',
      tags: ['Captures'],
      params,
      body: pdfSchema,
      response: answers({ 200: { description: 'The PDF.', type: 'application/pdf' }, 201: stored }, failures),
    },
    handler: async ({ principal, params: { id }, body }, reply) =>
      send(reply, await captures.pdf(principal.projectId, id, body, hangUp(reply.raw))),
  });
}

const picturesView = (made: CapturedElement[]): Pictures => ({
  pictures: made.map((picture) => ({
    selector: picture.selector,
    mimeType: picture.mimeType,
    ...contentOf(picture),
  })),
});

const contentOf = ({ bytes, record }: CapturedPicture) => ({
  ...(bytes && { content: bytes.toString('base64') }),
  ...(record && { file: fileView(record) }),
});

const comparedView = ({ comparison, picture, difference }: ComparedCapture): ComparedPicture => ({
  ...comparison,
  picture: { mimeType: 'image/png', ...contentOf(picture) },
  differencePicture: { mimeType: 'image/png', ...contentOf(difference) },
});

/** The bytes, or the record of the file they were kept as. */
function send(reply: FastifyReply, made: Captured | ArtifactRecord): FastifyReply {
  if (!('body' in made))
    return reply
      .code(201)
      .headers({ location: `/v1/browsers/${made.browserId}/files/${made.id}` })
      .send(fileView(made));
  if (Buffer.isBuffer(made.body)) reply.header('content-length', made.body.length);
  return reply.headers(bytesHeaders(made)).send(made.body);
}
