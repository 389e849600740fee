/** What the browser is answered when it gets no connection; small, uncached, with the reason in a header. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refused, Unreachable, UpstreamFailed } from '../way/way.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const lingerMs = 5000;

const answer = (status: number, type: string, reason: Record<string, string>, body: string): Answer => ({
  status,
  headers: {
    ...reason,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  },
  body,
});

const asText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const failed = (word: string, message: string): Answer => {
  const text = asText(message);
  return answer(
    502,
    'text/html',
    { 'X-Browserd-Error': word },
    `<!doctype html><title>Not reached</title><h1>Not reached</h1><p>${text}</p>\n`,
  );
};

/** Other failures are answered without details. */
export function answerFor(error: unknown): Answer {
  if (error instanceof Refused) {
    const text = `Refused by the policy of this browser: ${error.rule}\n`;
    return answer(403, 'text/plain', { 'X-Browserd-Refused': error.rule }, text);
  }
  if (error instanceof UpstreamFailed)
    return failed(error.code.toLowerCase(), `The proxy failed: ${error.message}`);
  if (error instanceof Unreachable) return failed(error.word, `The site cannot be reached: ${error.message}`);
  return failed('connect', 'The connection failed.');
}

export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else response.writeHead(status, headers).end(body);
}

/** For a socket that the HTTP server no longer owns. The client gets time to read the answer, but not for ever. */
export function sendRaw(socket: Socket, { status, headers, body }: Answer): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.setTimeout(lingerMs, () => socket.destroy());
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
