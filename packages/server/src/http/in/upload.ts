/** A file on its way in: as the body itself, or as the one part of a form. Nothing of it is held in memory. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { type App, askForBody } from '../wire/wire.ts';
import { chunksInTurns } from './bytes-in-turns.ts';
import { boundaryOf, mostOverhead, readFilePart } from './multipart.ts';
import { validationFailed } from './validate.ts';

export interface Upload {
  name: string;
  mimeType: string | undefined;
  chunks: AsyncIterable<Uint8Array>;
  /** At least so many bytes are to come; 0 when nothing is known. */
  expectedBytes: number;
}

/** For a scope of routes that read their body themselves. A `Content-Type` is a hint there: a senseless one is none. */
export function acceptAnyBody(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async () => undefined);
  app.addHook('onRequest', async ({ raw }) => {
    if (!/^[^\s/;]+\/[^\s/;]+\s*(;|$)/.test(raw.headers['content-type'] ?? ''))
      delete raw.headers['content-type'];
  });
}

export async function readUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  options: { name: string | undefined; limitBytes: number },
): Promise<Upload> {
  const { headers } = request;
  const contentType = headers['content-type'];
  const announced = Number(headers['content-length'] ?? 0);
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) {
    if (options.name === undefined) throw nameless();
    return {
      name: options.name,
      mimeType: contentType,
      chunks: bodyOf(request, reply),
      expectedBytes: announced,
    };
  }
  const expectedBytes = Math.max(0, announced - 2 * mostOverhead);
  if (expectedBytes > options.limitBytes)
    throw new ApiError('PAYLOAD_TOO_LARGE', `The file is larger than ${options.limitBytes} bytes.`, {
      details: { limitBytes: options.limitBytes },
    });
  const part = await readFilePart(bodyOf(request, reply), boundary);
  const name = options.name ?? part.filename;
  if (name === undefined) throw nameless();
  return { name, mimeType: part.mimeType, chunks: part.chunks, expectedBytes };
}

/** Stopping early must not end the connection: the sender still has to receive the error. */
async function* bodyOf(request: FastifyRequest, reply: FastifyReply): AsyncGenerator<Uint8Array> {
  askForBody(request, reply);
  yield* chunksInTurns(request, request.raw.iterator({ destroyOnReturn: false }));
}

const nameless = (): ApiError =>
  validationFailed('query', [{ path: 'name', reason: 'expected the name of the file: `?name=report.pdf`' }]);
