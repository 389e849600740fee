/**
 * Header fields on their way through: hop-by-hop ones are dropped (RFC 9110 §7.6.1), all others keep their order and
 * spelling. Framing is written anew, so that both sides read exactly the same message.
 */
import type { IncomingMessage } from 'node:http';
import { Unreachable } from '../way/way.ts';

const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

function passing(message: IncomingMessage, without: readonly string[]): string[] {
  const dropped = new Set([...hopByHop, ...without]);
  for (const name of message.headers.connection?.split(',') ?? []) dropped.add(name.trim().toLowerCase());
  const kept: string[] = [];
  const raw = message.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (!dropped.has(raw[i]!.toLowerCase())) kept.push(raw[i]!, raw[i + 1]!);
  }
  return kept;
}

export const isWebSocket = (message: IncomingMessage): boolean =>
  message.method === 'GET' && message.headers.upgrade?.toLowerCase() === 'websocket';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The Host is that of the request target, whatever the request's own says. */
export function requestHeaders(request: IncomingMessage, host: string): string[] {
  const kept = ['Host', host, ...passing(request, ['host', 'content-length'])];
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    throw new Unreachable('answer', 'the transfer coding of the request is not supported');
  }
  if (coding !== undefined) kept.push('Transfer-Encoding', 'chunked');
  else if (request.headers['content-length'] !== undefined) {
    kept.push('Content-Length', request.headers['content-length']);
  } else if (['POST', 'PUT', 'PATCH'].includes(request.method ?? '')) kept.push('Content-Length', '0');
  return kept;
}

export const webSocketHeaders = (request: IncomingMessage, host: string): string[] => [
  'Host',
  host,
  ...passing(request, ['host', 'content-length']),
  'Connection',
  'Upgrade',
  'Upgrade',
  'websocket',
];

/** A site cannot send the headers by which the proxy gives its reasons. */
export const responseHeaders = (response: IncomingMessage): string[] =>
  passing(response, ['x-browserd-refused', 'x-browserd-error']);
