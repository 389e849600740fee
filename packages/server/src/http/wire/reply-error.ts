/** Every failure leaves the service in one shape. Errors that are not made for callers become INTERNAL. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode, errorView } from '../../errors.ts';
import { giveBack } from '../../kit/give-back.ts';
import type { Log } from '../../kit/log.ts';
import { isWaiting } from './expect-continue.ts';
import { HungUp } from './hang-up.ts';
import { codeHeader, meantFor } from './passed-on.ts';
import type { HttpObserver } from './request-log.ts';

export const errorBody = (error: ApiError, requestId: string) => ({
  error: { ...errorView(error), details: { ...error.details, requestId } },
});

/** Fastify's own refusals of a request, in our words. */
const refusals: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than this call accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be JSON. Send it with `Content-Type: application/json`.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'INVALID_REQUEST',
    'The body has another length than `Content-Length` says.',
  ],
  FST_ERR_BAD_URL: ['INVALID_REQUEST', 'The path holds a broken percent-escape.'],
  FST_ERR_MAX_PARAM_LENGTH: ['INVALID_REQUEST', 'A part of the path is longer than this service accepts.'],
  ECONNRESET: ['INVALID_REQUEST', 'The connection ended before the body was complete.'],
};

export function toApiError(error: unknown, bodyLimit?: number): ApiError {
  if (error instanceof ApiError) return error;
  const code = (error as { code?: unknown } | null | undefined)?.code;
  const refusal = typeof code === 'string' ? refusals[code] : undefined;
  if (refusal)
    return new ApiError(refusal[0], refusal[1], {
      cause: error,
      ...(refusal[0] === 'PAYLOAD_TOO_LARGE' && bodyLimit && { details: { limitBytes: bodyLimit } }),
    });
  return new ApiError(
    'INTERNAL',
    'The service failed to answer. The request id finds the reason in its log.',
    {
      cause: error,
    },
  );
}

export type ErrorReply = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

export const createErrorReply =
  (log: Log, observer: HttpObserver = {}): ErrorReply =>
  (thrown, request, reply) => {
    if (thrown instanceof HungUp) {
      reply.hijack();
      return;
    }
    const error = toApiError(thrown, request.routeOptions.bodyLimit);
    observer.onError?.(error.code);
    if (error.code === 'INTERNAL')
      log.error(
        { err: error.cause ?? error, requestId: request.id, route: request.routeOptions.url },
        'request.failed',
      );
    if (meantFor(request.raw) !== undefined) reply.header(codeHeader, error.code);
    if (isWaiting(request)) reply.header('connection', 'close');
    else if (error.code === 'PAYLOAD_TOO_LARGE' || isCutShort(request)) letFinish(request, reply);
    reply
      .code(error.status)
      .headers(error.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(error, request.id)));
  };

const isCutShort = ({ raw, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.upload === true && !raw.complete;

const mostIgnored = 64 * 1024 ** 2;

/**
 * Closing while the client still writes would reset the connection, and most clients then never see the answer. So the
 * rest of a body that is too large is read and discarded: up to a limit, and within the request time-out.
 */
function letFinish({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  let ignored = 0;
  // of the handler that was reading the body
  raw.removeAllListeners('readable');
  raw.on('data', (chunk: Buffer) => {
    ignored += chunk.length;
    if (ignored > mostIgnored) raw.destroy();
    giveBack(chunk);
  });
  raw.resume();
}
