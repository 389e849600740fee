/**
 * What never becomes a request is answered on the raw socket, in the same shape as everything else: broken framing, too
 * many header bytes, a client that takes too long, CONNECT, an unknown Expect.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../errors.ts';
import { newId } from '../../kit/id.ts';
import type { Log } from '../../kit/log.ts';
import { errorBody } from './reply-error.ts';
import { requestIdOf } from './request-id.ts';
import type { HttpObserver } from './request-log.ts';
import { requestCostMs, strangers } from './strangers.ts';

const reasons: Record<string, () => ApiError> = {
  HPE_HEADER_OVERFLOW: () =>
    new ApiError(
      'HEADERS_TOO_LARGE',
      'Request line and header fields together are larger than this service accepts.',
    ),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new ApiError('REQUEST_TIMEOUT', 'The request did not arrive completely in time. Send it again.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new ApiError(
      'PAYLOAD_TOO_LARGE',
      'The chunk extensions of the body are larger than this service accepts.',
    ),
};

const unreadable = (): ApiError =>
  new ApiError(
    'INVALID_REQUEST',
    'The request could not be read as HTTP/1.1: its request line, a header or its framing is broken.',
  );

function rawAnswer(error: ApiError, requestId: string): { headers: Record<string, string>; body: string } {
  strangers.estimate(requestCostMs);
  const body = JSON.stringify(errorBody(error, requestId));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  };
  return { headers, body };
}

/** Sockets whose request was answered before it was read completely; a second answer would garble the first. */
const answeredEarly = new WeakSet<Duplex>();

export function noteEarlyAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    const { socket } = request;
    if (request.complete) return;
    answeredEarly.add(socket);
    request.once('end', () => answeredEarly.delete(socket));
  });
}

const hangUp = (socket: Duplex, error: ApiError, requestId: string): void => {
  const { headers, body } = rawAnswer(error, requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
};

export const createClientErrorHandler =
  (log: Log, observer: HttpObserver = {}) =>
  (fault: Error & { code?: string }, socket: Socket): void => {
    const answering = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
    // The client has gone, or the request has its answer.
    if (
      fault.code === 'ECONNRESET' ||
      !socket.writable ||
      answering?.headersSent ||
      answeredEarly.has(socket)
    ) {
      socket.destroy();
      return;
    }
    const error = (reasons[fault.code ?? ''] ?? unreadable)();
    const requestId = newId('req');
    observer.onError?.(error.code);
    log.info({ requestId, status: error.status, reason: fault.code }, 'request.unreadable');
    hangUp(socket, error, requestId);
  };

export function refuseConnect(request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  const error = new ApiError('METHOD_NOT_ALLOWED', 'CONNECT is not served: this is not a proxy.');
  hangUp(socket, error, requestIdOf(request));
}

/** An invalid handshake: a missing key, an unknown version. */
export function refuseUpgrade(request: IncomingMessage, socket: Duplex, fault: Error): void {
  const error = new ApiError(
    'INVALID_REQUEST',
    `The request is no proper WebSocket handshake: ${fault.message}.`,
  );
  hangUp(socket, error, requestIdOf(request));
}

export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const error = new ApiError('INVALID_REQUEST', 'Of the header `Expect` only `100-continue` is understood.');
  refuseRequest(request, response, error);
}

/** Answers before any hook has seen the request, and closes the connection. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  const { headers, body } = rawAnswer(error, requestIdOf(request));
  response.writeHead(error.status, headers).end(body);
}
