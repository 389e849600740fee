/** Which headers of a call go on to the other node, and which of the answer come back: all but those of one connection. */
import type { IncomingMessage } from 'node:http';
import { hopHeader, hopTo } from '../../cluster/cluster.ts';
import { codeHeader } from '../wire/wire.ts';

/** Of one connection (RFC 9110, 7.6.1), or set by this service itself. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  hopHeader,
  codeHeader,
]);

function* others({ rawHeaders }: IncomingMessage, left: (name: string) => boolean): Generator<string> {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (left(name.toLowerCase())) continue;
    yield name;
    yield rawHeaders[at + 1] as string;
  }
}

export interface Onward {
  bootId: string;
  requestId: string;
  isSocket: boolean;
  /** Undefined: there is none; a number where its length is known beforehand, and `stream` where it is as it comes. */
  body: number | 'stream' | undefined;
}

/** As they came, with the caller's own key: the other node identifies the caller itself. */
export function headersOnward(
  request: IncomingMessage,
  { bootId, requestId, isSocket, body }: Onward,
): string[] {
  const replaced = (name: string): boolean =>
    ofConnection.has(name) || name === 'x-request-id' || (name === 'content-length' && body !== 'stream');
  const headers = [...others(request, replaced), 'X-Request-Id', requestId, hopHeader, hopTo(bootId)];
  if (isSocket) headers.push('Connection', 'Upgrade', 'Upgrade', 'websocket');
  if (typeof body === 'number') headers.push('Content-Length', String(body));
  else if (body === undefined && mayHaveBody(request)) headers.push('Content-Length', '0');
  else if (body === 'stream' && request.headers['transfer-encoding'])
    headers.push('Transfer-Encoding', 'chunked');
  // Until the other node asks, the body is not on its way, and the call not begun.
  if (body !== undefined) headers.push('Expect', '100-continue');
  return headers;
}

const mayHaveBody = ({ method }: IncomingMessage): boolean => method !== 'GET' && method !== 'HEAD';

export function headersBack(answer: IncomingMessage): string[] {
  // This answer is about the connection.
  const kept = answer.statusCode === 426 ? new Set(['connection', 'upgrade']) : undefined;
  return [...others(answer, (name) => ofConnection.has(name) && !kept?.has(name))];
}
