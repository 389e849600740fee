/**
 * A WebSocket begins as a request like any other and passes the same checks: limits, id, log, key, rate, ids. Only its
 * handler takes the connection over, so that everything before can still answer with a proper error.
 *
 *   upgrade ─> Fastify's hooks ─> handler ─> takeSocket() ─> ws         refused on the way: an error, and the end
 *
 * A request to upgrade what is no socket (curl and Java offer h2c with every request) is an ordinary request.
 */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { patternOf } from '../out/out.ts';
import { type App, hasBody } from '../wire/wire.ts';

interface Waiting {
  socket: Duplex;
  head: Buffer;
  response: ServerResponse;
}

const waiting = new WeakMap<IncomingMessage, Waiting>();

/** Collects the routes of sockets as they are declared. */
export function collectSockets(app: App): (request: IncomingMessage) => boolean {
  const patterns: RegExp[] = [];
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.socket) patterns.push(patternOf(url));
  });
  return (request) => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
    // Whether frames or a body come next, a proxy in between might see otherwise.
    if (hasBody(request)) return false;
    const path = url.split('?', 1)[0] ?? '';
    return patterns.some((pattern) => pattern.test(path));
  };
}

export function routeUpgrades(server: Server, app: Pick<App, 'routing'>): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node has removed its own listeners.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    response.once('finish', () => {
      leave(response, socket);
      socket.end(() => socket.destroy());
    });
    waiting.set(request, { socket, head, response });
    app.routing(request, response);
  });
}

/** The connection of a request that asked to upgrade. From here on there is no response to it any more. */
export function takeSocket(request: IncomingMessage): { socket: Duplex; head: Buffer } | undefined {
  const taken = waiting.get(request);
  if (!taken) return undefined;
  waiting.delete(request);
  const { socket, head, response } = taken;
  response.statusCode = 101;
  leave(response, socket);
  return { socket, head };
}

/** What Node's own server does once a response is over: log and drain wait for its `close`. */
function leave(response: ServerResponse, socket: Duplex): void {
  response.detachSocket(socket as never);
  response.emit('close');
}

export const wantsUpgrade = (request: IncomingMessage): boolean => waiting.has(request);
