/** One request, one page: scrape, screenshot, PDF. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { StoreWish } from '../../files/schema.ts';
import { picturesSchema } from '../../page/capture/schema.ts';
import type { Caller, Made, Quick } from '../../quick/quick.ts';
import {
  type QuickCaptured,
  quickCapturedSchema,
  quickComparedSchema,
  quickPdfSchema,
  quickScrapedSchema,
  quickScrapeSchema,
  quickScreenshotSchema,
  quickStoredSchema,
} from '../../quick/schema.ts';
import { answers } from '../contract/contract.ts';
import { acceptPageForms, readPrefer } from '../in/in.ts';
import { type AnswerMasks, jsonWithBytes } from '../out/out.ts';
import { type App, hangUp } from '../wire/wire.ts';
import { comparedView, freshness, sendBytes } from './quick-answers.ts';
import { capturedExample, scrapedExample, storedExample } from './quick-examples.ts';
import { captureFailures, visitFailures } from './quick-failures.ts';
import {
  aboutVisit,
  answerStored,
  capturedFiles,
  comparedFiles,
  type StoreParts,
  scrapedFile,
} from './quick-store.ts';

const about =
  'In a browser of its own that is gone with the answer: it is in no list, keeps nothing, and counts as one browser while it works. At capacity `Prefer: wait=N` waits in line. A page with files beside it can be sent as a form, too. The `Idempotency-Key` counts with `store`, of which a repetition gets the first answer; without it nothing is kept that could be given again.';

const withMaxAge = 'With `maxAgeMs`, `Cache-Status` (RFC 9211) and `Age` say whether it was kept.';

const withHar = 'With `include: ["har"]` the answer is JSON that has the bytes in it.';

const stored = {
  description: 'With `store`: the files, and what became of the visit.',
  schema: quickStoredSchema,
};

interface QuickParts extends StoreParts {
  /** Of a page that is sent along. */
  bodyLimit: number;
  quick: Pick<Quick, 'scrape' | 'screenshot' | 'compare' | 'pictures' | 'pdf'>;
  masks: Pick<AnswerMasks, 'json' | 'text'>;
}

/** One request, one page, the result. */
export function quickRoutes(app: App, parts: QuickParts): void {
  app.register(async (scope: App) => {
    acceptPageForms(scope);
    routesOf(scope, parts);
  });
}

function routesOf(app: App, { quick, masks, bodyLimit, ...storing }: QuickParts): void {
  app.route({
    method: 'POST',
    url: '/v1/scrape',
    bodyLimit,
    config: {
      answers: 'room',
      prefers: true,
      idempotency: 'optional',
      pageForm: true,
      examples: {
        request: { url: scrapedExample.url, include: ['links'] },
        response: scrapedExample,
        created: { ...scrapedExample, files: storedExample.files },
      },
    },
    schema: {
      operationId: 'QuickController_scrape',
      summary: 'Scrape a page',
      description: `The content of \`url\` (or of \`html\`) as Markdown, text, HTML or JSON. ${about}`,
      tags: ['Quick actions'],
      body: quickScrapeSchema,
      response: answers(
        {
          200: { description: 'The content.', schema: quickScrapedSchema },
          201: { description: 'With `store`: the content, and its file.', schema: quickScrapedSchema },
        },
        visitFailures,
      ),
    },
    handler: async (request, reply) => {
      const { body } = request;
      const caller = callerOf(request, reply);
      if (!body.store) return quick.scrape(caller, body);
      return answerStored(storing, request, reply, body.store, async () => {
        const about = await quick.scrape(caller, body);
        return scrapedFile(about, masks, caller.projectId);
      });
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/screenshot',
    bodyLimit,
    config: {
      answers: 'room',
      prefers: true,
      idempotency: 'optional',
      pageForm: true,
      examples: {
        request: { url: 'https://example.com', fullPage: true },
        response: capturedExample,
        created: storedExample,
      },
    },
    schema: {
      operationId: 'QuickController_screenshot',
      summary: 'Take a screenshot of a page',
      description: `A picture of \`url\` (or of \`html\`). \`X-Final-Url\` and \`X-Status-Code\` tell of the visit. ${withHar} ${withMaxAge} ${about}`,
      tags: ['Quick actions'],
      body: quickScreenshotSchema,
      response: answers(
        {
          200: {
            description: 'The picture.',
            type: 'image/*',
            schema: z.union([quickCapturedSchema, picturesSchema, quickComparedSchema]),
          },
          201: { ...stored, schema: z.union([quickStoredSchema, quickComparedSchema]) },
        },
        [...captureFailures, 'FILE_NOT_FOUND', 'BASELINE_INVALID'],
      ),
    },
    handler: async (request, reply) => {
      const { body } = request;
      const { format, selectors, baseline } = body;
      const mimeType = `image/${format}`;
      const name = `screenshot.${format === 'jpeg' ? 'jpg' : format}`;
      const caller = callerOf(request, reply);
      if (body.store)
        return answerStored<object>(storing, request, reply, body.store, async () => {
          if (baseline !== undefined) return comparedFiles(body.url, await quick.compare(caller, body));
          const taken = selectors
            ? await quick.pictures(caller, body, selectors)
            : await quick.screenshot(caller, body);
          return capturedFiles(taken, { source: 'screenshot', name, mimeType, ...told(request) });
        });
      if (selectors) {
        const { made, cache } = await quick.pictures(caller, body, selectors);
        reply.headers(freshness(cache, body));
        const pictures = made.map(({ selector, bytes }) => ({
          selector,
          mimeType,
          content: bytes.toString('base64'),
        }));
        return { pictures };
      }
      if (baseline !== undefined) return comparedView(body, await quick.compare(caller, body));
      return send(request, reply, await quick.screenshot(caller, body), { name, mimeType });
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/pdf',
    bodyLimit,
    config: {
      answers: 'room',
      prefers: true,
      idempotency: 'optional',
      pageForm: true,
      examples: {
        request: { url: 'https://example.com', format: 'a4' },
        response: { ...capturedExample, mimeType: 'application/pdf', content: 'JVBERi0xLjQ=' },
        created: storedExample,
      },
    },
    schema: {
      operationId: 'QuickController_pdf',
      summary: 'Print a page to PDF',
      description: `\`url\` (or \`html\`) as PDF, streamed. \`X-Final-Url\` and \`X-Status-Code\` tell of the visit. ${withHar} ${withMaxAge} ${about}`,
      tags: ['Quick actions'],
      body: quickPdfSchema,
      response: answers(
        {
          200: { description: 'The PDF.', type: 'application/pdf', schema: quickCapturedSchema },
          201: stored,
        },
        captureFailures,
      ),
    },
    handler: async (request, reply) => {
      const { body } = request;
      const file = { name: 'page.pdf', mimeType: 'application/pdf' };
      const caller = callerOf(request, reply);
      if (!body.store) return send(request, reply, await quick.pdf(caller, body), file);
      return answerStored(storing, request, reply, body.store, async () =>
        capturedFiles(await quick.pdf(caller, body), { source: 'pdf', ...file, ...told(request) }),
      );
    },
  });

  /** For what is stored: the address that was asked for, and the mask of the HAR. */
  function told({ principal, body }: FastifyRequest<{ Body: { url?: string } }>) {
    return { url: body.url, mask: (har: string) => masks.json(principal.projectId, har) };
  }

  /** The bytes, or JSON with the bytes and the HAR, which is masked here: what is written piece by piece passes no other mask. */
  function send(
    { principal, body }: FastifyRequest<{ Body: { url?: string; maxAgeMs?: number } }>,
    reply: FastifyReply,
    { made, har, cache, ...visited }: Made<Buffer | Readable>,
    file: { name: string; mimeType: string },
  ): FastifyReply {
    reply.headers(freshness(cache, body));
    if (har === undefined) return sendBytes(reply, { made, ...visited }, file);
    const about: Omit<QuickCaptured, 'content' | 'har'> = {
      ...aboutVisit(body.url, visited),
      mimeType: file.mimeType,
    };
    const fields = masks.json(principal.projectId, `${JSON.stringify(about).slice(0, -1)},"har":${har}}`);
    return reply.type('application/json; charset=utf-8').send(jsonWithBytes(fields, 'content', made));
  }
}

const callerOf = (
  { principal, headers, body, idempotencyKey }: FastifyRequest<{ Body: { store: StoreWish } }>,
  reply: FastifyReply,
): Caller => ({
  projectId: principal.projectId,
  // What is done once goes on when its caller has gone: a repetition finds its outcome.
  gone: body.store && idempotencyKey !== undefined ? new AbortController().signal : hangUp(reply.raw),
  waitMs: readPrefer(headers.prefer).waitMs,
});
