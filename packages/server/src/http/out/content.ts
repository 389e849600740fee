/**
 * Streams the bytes of something whose bytes never change, whole or in part:
 *
 *   If-None-Match → 304 · Range past the end → 416 · Range (and If-Range holds) → 206 · else → 200
 *
 * The content comes from pages and callers: it is sent as an attachment, never to be run or shown under this address.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { attachment } from './disposition.ts';
import { type ByteRange, readRange } from './range.ts';

export interface Content {
  name: string;
  mimeType: string;
  size: number;
  sha256: string;
  open(range?: ByteRange): Promise<Readable>;
}

const keptHeaders = (content: Content) => ({
  etag: `"${content.sha256}"`,
  // A cache must ask, with its key, whether it still may use its copy.
  'cache-control': 'private, no-cache',
  'accept-ranges': 'bytes',
});

const harmless = "sandbox; default-src 'none'";

/** Of bytes to be saved, however they are sent. */
export const bytesHeaders = ({ name, mimeType }: { name: string; mimeType: string }) => ({
  'content-type': mimeType,
  'content-disposition': attachment(name),
  'content-security-policy': harmless,
});

export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<FastifyReply> {
  const { headers, method } = request;
  const kept = keptHeaders(content);
  const isHead = method === 'HEAD';
  if (etagMatches(headers['if-none-match'], kept.etag))
    return reply
      .code(304)
      .headers(kept)
      .send(isHead ? nothing() : undefined);
  const holds = headers['if-range'] === undefined || headers['if-range'] === kept.etag;
  const range = isHead || !holds ? 'whole' : readRange(headers.range, content.size);
  if (range === 'unsatisfiable') throw pastTheEnd(content.size);
  const part = range === 'whole' ? undefined : range;
  const body = isHead ? nothing() : await content.open(part);
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${content.size}`);
  return reply
    .headers({
      ...kept,
      ...bytesHeaders(content),
      'content-length': part ? part.end - part.start + 1 : content.size,
    })
    .send(body);
}

/** Fastify counts what a HEAD would send and says so, unless it is a stream. */
export const nothing = (): Readable => Readable.from([]);

export const etagMatches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

const pastTheEnd = (size: number): ApiError =>
  new ApiError('RANGE_NOT_SATISFIABLE', `The content has ${size} bytes; the \`Range\` lies past its end.`, {
    details: { size },
    headers: { 'content-range': `bytes */${size}` },
  });
