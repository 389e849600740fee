/**
 * Header fields on their way through, in their order and spelling. Of a request the hop-by-hop ones are dropped (RFC 9110
 * §7.6.1). Of an answer they stay: Chromium's connection to the exit is kept, closed and framed as the site's is, so they
 * are true there too, and a client sees what the site has sent. Framing is written anew by its rules, so that both sides
 * read exactly the same message.
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
  const named = message.headers.connection?.split(',').map((name) => name.trim().toLowerCase());
  return withoutThese(message, new Set([...hopByHop, ...without, ...(named ?? [])]));
}

function withoutThese(message: IncomingMessage, dropped: ReadonlySet<string>): string[] {
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
  const kept = ['Host', host, 'Connection', 'keep-alive', ...passing(request, ['host', 'content-length'])];
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
const reasons = ['x-browserd-refused', 'x-browserd-error'];

/** Of an answer that ends the talk of HTTP. */
export const switchingHeaders = (answer: IncomingMessage): string[] => passing(answer, reasons);

const ofProxies = ['proxy-authenticate', 'proxy-authorization', 'proxy-connection'];

export const isChunked = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding']?.trim().toLowerCase() === 'chunked';

export const answerHeaders = (answer: IncomingMessage): string[] =>
  withoutThese(
    answer,
    new Set([...reasons, ...ofProxies, ...(isChunked(answer) ? [] : ['transfer-encoding'])]),
  );

const bodiless = [204, 304];

/** Whether only the end of the connection says where the body of this answer ends. */
export const endsWithConnection = ({ headers, statusCode = 0 }: IncomingMessage, method?: string): boolean =>
  method !== 'HEAD' &&
  !bodiless.includes(statusCode) &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;
