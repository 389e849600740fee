/**
 * Between Node's parser and the routes: the requests of one connection, in their order. Node reads them by the hundred
 * and begins them all at once, so this file decides about each before the next one begins.
 *
 * - Where two readers of the same bytes could see different requests, nothing after it is trusted (RFC 9112, 3.2, 6.1).
 * - So many may be under way on one connection, or it would keep all others waiting. The last of them closes it, and
 *   what comes after is not read (RFC 9112, 9.6); the client continues on a new connection.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../errors.ts';

const mostAtOnce = 32;

export function oneAfterAnother(
  listener: RequestListener,
  refuse: (request: IncomingMessage, response: ServerResponse, error: ApiError) => void,
): RequestListener {
  const underWay = new WeakMap<Socket, number>();
  const closing = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (closing.has(socket)) return;
    const error = ambiguityIn(request);
    if (error) {
      closing.add(socket);
      refuse(request, response, error);
      return;
    }
    const now = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, now);
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    if (now >= mostAtOnce) {
      closing.add(socket);
      response.shouldKeepAlive = false;
    }
    listener(request, response);
  };
}

const invalid = (message: string): ApiError => new ApiError('INVALID_REQUEST', message);

function ambiguityIn({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  // Node's parser takes HTTP/0.9 and 2.0 as well
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return invalid('The request is not HTTP/1.1, which this service speaks.');
  if (isRepeated(rawHeaders, 'host')) return invalid('The header `Host` was sent more than once.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return invalid('Of the header `Transfer-Encoding` only `chunked` is understood.');
  return undefined;
}

function isRepeated(rawHeaders: string[], name: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) count++;
  return count > 1;
}
