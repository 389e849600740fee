/**
 * How long a body may take to arrive. Node has one limit for all requests, but an upload of a gigabyte may take as long
 * as it needs while its bytes keep coming: an upload must send some bytes within every span of the time-out, any other
 * request all of them within the first.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from './app.ts';

const leastBytes = 16 * 1024;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const tooSlow = (): Error =>
  Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

export function limitSendingTime(app: App, timeoutMs: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (!hasBody(raw) || raw.complete) return;
    const { socket } = raw;
    const mayGoOn = routeOptions.config.upload === true;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const cameOn = socket.bytesRead - seen >= leastBytes;
      seen = socket.bytesRead;
      if (raw.complete || (mayGoOn && cameOn)) return;
      clearInterval(timer);
      app.server.emit('clientError', tooSlow(), socket);
    }, timeoutMs);
    timer.unref();
    raw.once('close', () => clearInterval(timer));
  });
}

/** Longer than a client needs that is only slow, or whose player is paused for a moment. */
const patience = 4;

/**
 * A client that asks for content and does not read it must not hold a connection and a file for as long as it likes:
 * bytes must move within some spans of the time-out. Answers without a known end, such as streams of events, may rest.
 */
export function limitReadingTime(app: App, timeoutMs: number): void {
  app.addHook('onSend', async (request, reply, payload) => {
    // A body that is sent as a whole gets its length only after this.
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isWhole || reply.hasHeader('content-length')) limitReadingOf(request.raw.socket, timeoutMs);
  });
}

export const limitReadingOf = (socket: Socket, timeoutMs: number): void =>
  void socket.setTimeout(timeoutMs * patience);
