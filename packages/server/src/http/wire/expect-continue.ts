/**
 * `Expect: 100-continue`: the client holds its body back until the service asks for it. The service asks when a handler
 * starts to read, so a request that is refused before (key, id, size, quota) costs no transfer.
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

/** True when the client was never asked: nothing of its body is on the way. */
export const isWaiting = (request: FastifyRequest): boolean => waiting.has(request.raw);
