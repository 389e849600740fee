/** One request, one page: scrape, screenshot, PDF. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../errors.ts';
import type { Caller, Made, Quick } from '../../quick/quick.ts';
import {
  type QuickScraped,
  quickPdfSchema,
  quickScrapedSchema,
  quickScrapeSchema,
  quickScreenshotSchema,
} from '../../quick/schema.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { readPrefer } from '../in/in.ts';
import { bytesHeaders } from '../out/out.ts';
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

const about =
  'In a browser of its own that is gone with the answer: it is in no list, keeps nothing, and counts as one browser while it works. At capacity `Prefer: wait=N` waits in line.';

/** One request, one page, the result. */
export function quickRoutes(
  app: App,
  { quick }: { quick: Pick<Quick, 'scrape' | 'screenshot' | 'pdf'> },
): void {
  app.route({
    method: 'POST',
    url: '/v1/scrape',
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
    config: { prefers: true, examples: { request: { url: 'https://example.com', fullPage: true } } },
    schema: {
      operationId: 'QuickController_screenshot',
      summary: 'Take a screenshot of a page',
      description: `A picture of \`url\` (or of \`html\`). \`X-Final-Url\` and \`X-Status-Code\` tell of the visit. ${about}`,
      tags: ['Quick actions'],
      body: quickScreenshotSchema,
      response: answers({ 200: { description: 'The picture.', type: 'image/*' } }, [
        ...failures,
        'ELEMENT_NOT_ACTIONABLE',
        'CAPTURE_TOO_LARGE',
      ]),
    },
    handler: async (request, reply) => {
      const { format } = request.body;
      const taken = await quick.screenshot(callerOf(request, reply), request.body);
      const name = `screenshot.${format === 'jpeg' ? 'jpg' : format}`;
      reply.header('content-length', taken.made.length);
      return send(reply, taken, { name, mimeType: `image/${format}` });
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/pdf',
    config: { prefers: true, examples: { request: { url: 'https://example.com', format: 'a4' } } },
    schema: {
      operationId: 'QuickController_pdf',
      summary: 'Print a page to PDF',
      description: `\`url\` (or \`html\`) as PDF, streamed. \`X-Final-Url\` and \`X-Status-Code\` tell of the visit. ${about}`,
      tags: ['Quick actions'],
      body: quickPdfSchema,
      response: answers({ 200: { description: 'The PDF.', type: 'application/pdf' } }, failures),
    },
    handler: async (request, reply) => {
      const printed = await quick.pdf(callerOf(request, reply), request.body);
      return send(reply, printed, { name: 'page.pdf', mimeType: 'application/pdf' });
    },
  });
}

const callerOf = ({ principal, headers }: FastifyRequest, reply: FastifyReply): Caller => ({
  projectId: principal.projectId,
  gone: hangUp(reply.raw),
  waitMs: readPrefer(headers.prefer).waitMs,
});

function send(
  reply: FastifyReply,
  { made, finalUrl, statusCode, timedOut }: Made<unknown>,
  file: { name: string; mimeType: string },
): FastifyReply {
  return reply
    .headers({
      ...bytesHeaders(file),
      'x-final-url': URL.parse(finalUrl)?.href ?? '',
      ...(statusCode !== null && { 'x-status-code': String(statusCode) }),
      ...(timedOut && { 'x-timed-out': 'true' }),
    })
    .send(made);
}
