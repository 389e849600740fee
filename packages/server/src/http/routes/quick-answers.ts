/** Answers to quick actions that are no plain JSON: bytes with what became of the visit in headers, and comparisons. */
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Compared } from '../../page/page.ts';
import { cacheHeaders, type Made } from '../../quick/quick.ts';
import type { QuickCompared } from '../../quick/schema.ts';
import { bytesHeaders } from '../out/out.ts';
import { aboutVisit } from './quick-store.ts';

export const comparedView = (
  { url }: { url?: string },
  { made, ...visited }: Made<Compared>,
): QuickCompared => {
  const png = (bytes: Buffer) => ({ mimeType: 'image/png' as const, content: bytes.toString('base64') });
  return {
    ...aboutVisit(url, visited),
    ...made.comparison,
    picture: png(made.picture),
    differencePicture: png(made.difference),
  };
};

/** Whether the answer was kept, in headers. */
export const freshness = (cache: Made<unknown>['cache'], { maxAgeMs = 0 }: { maxAgeMs?: number }) =>
  cache ? cacheHeaders(cache, maxAgeMs) : {};

export function sendBytes(
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
