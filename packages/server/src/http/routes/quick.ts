/** One request, one page: scrape, screenshot, PDF. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import { picturesSchema } from '../../page/capture/schema.ts';
import type { Compared } from '../../page/page.ts';
import type { Caller, Made, Quick } from '../../quick/quick.ts';
import {
  type QuickCaptured,
  type QuickCompared,
  type QuickScraped,
  quickCapturedSchema,
  quickComparedSchema,
  quickPdfSchema,
  quickScrapedSchema,
  quickScrapeSchema,
  quickScreenshotSchema,
} from '../../quick/schema.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { readPrefer } from '../in/in.ts';
import { type AnswerMasks, bytesHeaders, jsonWithBytes } from '../out/out.ts';
import { type App, hangUp } from '../wire/wire.ts';

const scrapedExample: QuickScraped = {
  url: 'https://example.com/article',
  finalUrl: 'https://example.com/article',
  title: 'An article',
  description: 'What it is about.',
  statusCode: 200,
  contentType: 'text/html',
  format: 'markdown',
  content: '# An article\n\nIts text.',
  chars: 23,
  truncated: false,
  captcha: [],
  elapsedMs: 180,
};

const capturedExample: QuickCaptured = {
  url: 'https://example.com',
  finalUrl: 'https://example.com/',
  statusCode: 200,
  mimeType: 'image/png',
  har: { log: { version: '1.2', creator: { name: 'browserd', version: '0.1.0' }, pages: [], entries: [] } },
  content: 'iVBORw0KGgo=',
};

const failures: ErrorCode[] = [
  ...bodyCodes,
  'POLICY_BLOCKED',
  'POLICY_NOT_ALLOWED',
  'PROFILE_NOT_FOUND',
  'PROFILE_VERSION_NOT_FOUND',
  'NAVIGATION_FAILED',
  'SELECTOR_NOT_FOUND',
  'PROXY_UNREACHABLE',
  'PROXY_AUTH_FAILED',
  'CAPACITY_EXHAUSTED',
  'PAGE_CRASHED',
  'BROWSER_CRASHED',
  'BROWSER_START_FAILED',
  'BROWSER_UNRESPONSIVE',
  'QUICK_ACTION_TIMEOUT',
  'SERVICE_SHUTTING_DOWN',
];

const captureFailures: ErrorCode[] = [
  ...failures,
  'ELEMENT_NOT_ACTIONABLE',
  'PAGE_NOT_WANTED',
  'SCRIPT_FAILED',
  'CAPTURE_TOO_LARGE',
];

const about =
  'In a browser of its own that is gone with the answer: it is in no list, keeps nothing, and counts as one browser while it works. At capacity `Prefer: wait=N` waits in line.';

const withHar = 'With `include: ["har"]` the answer is JSON that has the bytes in it.';

interface QuickParts {
  /** Of a page that is sent along. */
  bodyLimit: number;
  quick: Pick<Quick, 'scrape' | 'screenshot' | 'compare' | 'pictures' | 'pdf'>;
  masks: Pick<AnswerMasks, 'json'>;
}

/** One request, one page, the result. */
export function quickRoutes(app: App, { quick, masks, bodyLimit }: QuickParts): void {
  app.route({
    method: 'POST',
    url: '/v1/scrape',
    bodyLimit,
    config: {
      prefers: true,
      examples: { request: { url: scrapedExample.url, include: ['links'] }, response: scrapedExample },
    },
    schema: {
      operationId: 'QuickController_scrape',
      summary: 'Scrape a page',
      description: `The content of \`url\` (or of \`html\`) as Markdown, text, HTML or JSON. ${about}`,
      tags: ['Quick actions'],
      body: quickScrapeSchema,
      response: answers({ 200: { description: 'The content.', schema: quickScrapedSchema } }, failures),
    },
    handler: async (request, reply) => quick.scrape(callerOf(request, reply), request.body),
  });

  app.route({
    method: 'POST',
    url: '/v1/screenshot',
    bodyLimit,
    config: {
      prefers: true,
      examples: { request: { url: 'https://example.com', fullPage: true }, response: capturedExample },
    },
    schema: {
      operationId: 'QuickController_screenshot',
      summary: 'Take a screenshot of a page',
      description: `A picture of \`url\` (or of \`html\`). \`X-Final-Url\` and \`X-Status-Code\` tell of the visit. ${withHar} ${about}`,
      tags: ['Quick actions'],
      body: quickScreenshotSchema,
      response: answers(
        {
          200: {
            description: 'The picture.',
            type: 'image/*',
            schema: z.union([quickCapturedSchema, picturesSchema, quickComparedSchema]),
          },
        },
        [...captureFailures, 'FILE_NOT_FOUND', 'BASELINE_INVALID'],
      ),
    },
    handler: async (request, reply) => {
      const { format, selectors, baseline } = request.body;
      const mimeType = `image/${format}`;
      if (selectors) {
        const { made } = await quick.pictures(callerOf(request, reply), request.body, selectors);
        const pictures = made.map(({ selector, bytes }) => ({
          selector,
          mimeType,
          content: bytes.toString('base64'),
        }));
        return { pictures };
      }
      if (baseline !== undefined)
        return comparedView(request.body, await quick.compare(callerOf(request, reply), request.body));
      const taken = await quick.screenshot(callerOf(request, reply), request.body);
      const name = `screenshot.${format === 'jpeg' ? 'jpg' : format}`;
      return send(request, reply, taken, { name, mimeType });
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/pdf',
    bodyLimit,
    config: {
      prefers: true,
      examples: {
        request: { url: 'https://example.com', format: 'a4' },
        response: { ...capturedExample, mimeType: 'application/pdf', content: 'JVBERi0xLjQ=' },
      },
    },
    schema: {
      operationId: 'QuickController_pdf',
      summary: 'Print a page to PDF',
      description: `\`url\` (or \`html\`) as PDF, streamed. \`X-Final-Url\` and \`X-Status-Code\` tell of the visit. ${withHar} ${about}`,
      tags: ['Quick actions'],
      body: quickPdfSchema,
      response: answers(
        { 200: { description: 'The PDF.', type: 'application/pdf', schema: quickCapturedSchema } },
        captureFailures,
      ),
    },
    handler: async (request, reply) => {
      const printed = await quick.pdf(callerOf(request, reply), request.body);
      return send(request, reply, printed, { name: 'page.pdf', mimeType: 'application/pdf' });
    },
  });

  /** The bytes, or JSON with the bytes and the HAR, which is masked here: what is written piece by piece passes no other mask. */
  function send(
    { principal, body }: FastifyRequest<{ Body: { url?: string } }>,
    reply: FastifyReply,
    { made, har, ...visited }: Made<Buffer | Readable>,
    file: { name: string; mimeType: string },
  ): FastifyReply {
    if (har === undefined) return sendBytes(reply, { made, ...visited }, file);
    const { finalUrl, statusCode, timedOut } = visited;
    const about: Omit<QuickCaptured, 'content' | 'har'> = {
      url: body.url ?? finalUrl,
      finalUrl,
      statusCode,
      ...(timedOut && { timedOut }),
      mimeType: file.mimeType,
    };
    const fields = masks.json(principal.projectId, `${JSON.stringify(about).slice(0, -1)},"har":${har}}`);
    return reply.type('application/json; charset=utf-8').send(jsonWithBytes(fields, 'content', made));
  }
}

function comparedView(
  { url }: { url?: string },
  { made: { comparison, picture, difference }, finalUrl, statusCode, timedOut }: Made<Compared>,
): QuickCompared {
  const png = (bytes: Buffer) => ({ mimeType: 'image/png' as const, content: bytes.toString('base64') });
  return {
    url: url ?? finalUrl,
    finalUrl,
    statusCode,
    ...(timedOut && { timedOut }),
    ...comparison,
    picture: png(picture),
    differencePicture: png(difference),
  };
}

const callerOf = ({ principal, headers }: FastifyRequest, reply: FastifyReply): Caller => ({
  projectId: principal.projectId,
  gone: hangUp(reply.raw),
  waitMs: readPrefer(headers.prefer).waitMs,
});

function sendBytes(
  reply: FastifyReply,
  { made, finalUrl, statusCode, timedOut }: Made<Buffer | Readable>,
  file: { name: string; mimeType: string },
): FastifyReply {
  if (Buffer.isBuffer(made)) reply.header('content-length', made.length);
  return reply
    .headers({
      ...bytesHeaders(file),
      'x-final-url': URL.parse(finalUrl)?.href ?? '',
      ...(statusCode !== null && { 'x-status-code': String(statusCode) }),
      ...(timedOut && { 'x-timed-out': 'true' }),
    })
    .send(made);
}
