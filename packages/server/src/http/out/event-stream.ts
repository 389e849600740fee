/**
 * Events as they happen, as Server-Sent Events:
 *
 *   id: 42                        the event's `seq`: `Last-Event-ID` of the next connection
 *   event: browser.ready
 *   data: {"id":"event_…","type":"browser.ready",…}
 *
 * A comment every heartbeat keeps proxies, and the service's own limit on silence, from closing the connection; at the
 * same time the service checks whether the caller may still listen. Before the service itself ends a stream it says why
 * (`event: end`). Frames are made when the client has taken the ones before, so a slow client holds no memory; a client
 * that takes nothing over two heartbeats is disconnected, and can reconnect for the rest.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { eventView, type Follower } from '../../events/events.ts';
import { errorBody, shuttingDown } from '../wire/wire.ts';
import { nothing } from './content.ts';

export interface StreamOptions {
  follow(lastEventId: string | undefined): Promise<Follower>;
  /** Throws when the caller may no longer listen, or its browser is gone. */
  check(): Promise<void>;
  heartbeatMs: number;
  stopping: AbortSignal;
}

const retryMs = 2000;
const bufferBytes = 64 * 1024;
/** Time for a client to read the last event before the connection closes. */
const closingMs = 1000;

export const wantsStream = ({ headers }: FastifyRequest): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '');

export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  options: StreamOptions,
): Promise<FastifyReply> {
  if (options.stopping.aborted) throw shuttingDown();
  const { lastEventId: asked } = request.query as { lastEventId?: string };
  const follower = await options.follow(String(request.headers['last-event-id'] ?? '') || asked);
  reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  if (request.method === 'HEAD' || reply.raw.destroyed) {
    follower[Symbol.dispose]();
    return reply.send(nothing());
  }
  const gone = new AbortController();
  const stop = (): void => {
    gone.abort();
    setTimeout(() => reply.raw.destroy(), closingMs).unref();
  };
  options.stopping.addEventListener('abort', stop);
  const offWatch = cutOffWhenStuck(reply, options.heartbeatMs * 2);
  reply.raw.once('close', () => {
    gone.abort();
    offWatch();
    options.stopping.removeEventListener('abort', stop);
    follower[Symbol.dispose]();
  });
  const frames = framesOf(request.id, follower, options, gone.signal);
  return reply.send(Readable.from(frames, { objectMode: false, highWaterMark: bufferBytes }));
}

async function* framesOf(
  requestId: string,
  follower: Follower,
  { check, heartbeatMs, stopping }: StreamOptions,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const end = (error: ApiError): string =>
    `event: end\ndata: ${JSON.stringify(errorBody(error, requestId))}\n\n`;
  yield `retry: ${retryMs}\n\n`;
  let checkAt = performance.now() + heartbeatMs;
  try {
    for (;;) {
      const events = await follower.next(heartbeatMs, gone);
      if (stopping.aborted) return yield end(shuttingDown());
      if (gone.aborted) return;
      if (events.length > 0)
        yield events
          .map(eventView)
          .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join('');
      if (performance.now() < checkAt && events.length > 0) continue;
      await check().catch(unlessPassing);
      checkAt = performance.now() + heartbeatMs;
      yield ': still here\n\n';
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield end(error);
  }
}

/** A database that is away for a moment is no reason to end a stream. */
function unlessPassing(error: unknown): void {
  if (!(error instanceof ApiError) || error.status < 500) throw error;
}

/** The return value is the off switch. */
function cutOffWhenStuck({ raw }: FastifyReply, patienceMs: number): () => void {
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
