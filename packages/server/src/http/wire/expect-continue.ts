/**
 * `Expect: 100-continue`: the sender waits with its body until it is asked for it. It is asked once somebody wants
 * to read, so that a request that is refused by then (key, id, size, quota) costs nobody the transfer.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const waiting = new WeakSet<IncomingMessage>();

export function holdExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
}

export function askForBody(request: FastifyRequest, reply: FastifyReply): void {
  if (waiting.delete(request.raw)) reply.raw.writeContinue();
}

/** True when the sender was never asked: nothing of its body is on the way. */
export const isWaiting = (request: FastifyRequest): boolean => waiting.has(request.raw);
