/**
 * Server-Sent Events, whatever they tell of. Frames are made when the client has taken the ones before, so a slow client holds
 * no memory; a client that takes nothing over two heartbeats is disconnected, and can reconnect for the rest. Before the
 * service itself ends a stream it says why (`event: end`).
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { errorBody, shuttingDown } from '../wire/wire.ts';
import { nothing } from './content.ts';

export interface SseOptions {
  heartbeatMs: number;
  stopping: AbortSignal;
}

const retryMs = 2000;
const bufferBytes = 64 * 1024;
/** Time for a client to read the last event before the connection closes. */
const closingMs = 1000;

export const wantsStream = ({ headers }: FastifyRequest): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '');

export const firstFrame = `retry: ${retryMs}\n\n`;
export const heartbeat = ': still here\n\n';

export const endFrame = (error: ApiError, requestId: string): string =>
  `event: end\ndata: ${JSON.stringify(errorBody(error, requestId))}\n\n`;

/** `frames` returns when its signal aborts. `leave` is called once, when the stream is over. */
export function sendSse(
  request: FastifyRequest,
  reply: FastifyReply,
  { heartbeatMs, stopping }: SseOptions,
  frames: (gone: AbortSignal) => AsyncGenerator<string>,
  leave: () => void = () => undefined,
): FastifyReply {
  reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  if (request.method === 'HEAD' || reply.raw.destroyed) {
    leave();
    return reply.send(nothing());
  }
  const gone = new AbortController();
  const stop = (): void => {
    gone.abort();
    setTimeout(() => reply.raw.destroy(), closingMs).unref();
  };
  stopping.addEventListener('abort', stop);
  const offWatch = cutOffWhenStuck(reply, heartbeatMs * 2);
  reply.raw.once('close', () => {
    gone.abort();
    offWatch();
    stopping.removeEventListener('abort', stop);
    leave();
  });
  return reply.send(Readable.from(frames(gone.signal), { objectMode: false, highWaterMark: bufferBytes }));
}

export const refuseWhenStopping = (stopping: AbortSignal): void => {
  if (stopping.aborted) throw shuttingDown();
};

/** A database that is away for a moment is no reason to end a stream. */
export function unlessPassing(error: unknown): void {
  if (!(error instanceof ApiError) || error.status < 500) throw error;
}

/** Ends the connection of a client that takes nothing for so long. The return value is the off switch. */
export function cutOffWhenStuck({ raw }: FastifyReply, patienceMs: number): () => void {
  let waited = false;
  raw.on('drain', () => {
    waited = false;
  });
  const timer = setInterval(() => {
    if (waited) raw.destroy();
    waited = raw.writableNeedDrain;
  }, patienceMs).unref();
  return () => clearInterval(timer);
}
