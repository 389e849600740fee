/**
 * Events as they happen, as Server-Sent Events:
 *
 *   id: 42                        the event's `seq`: `Last-Event-ID` of the next connection
 *   event: browser.ready
 *   data: {"id":"event_…","type":"browser.ready",…}
 *
 * A comment every heartbeat keeps proxies, and the service's own limit on silence, from closing the connection; at the
 * same time the service checks whether the caller may still listen.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { eventView, type Follower } from '../../events/events.ts';
import { shuttingDown } from '../wire/wire.ts';
import {
  endFrame,
  firstFrame,
  heartbeat,
  refuseWhenStopping,
  type SseOptions,
  sendSse,
  unlessPassing,
} from './sse.ts';

export interface StreamOptions extends SseOptions {
  follow(lastEventId: string | undefined): Promise<Follower>;
  /** Throws when the caller may no longer listen, or its browser is gone. */
  check(): Promise<void>;
}

export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  options: StreamOptions,
): Promise<FastifyReply> {
  refuseWhenStopping(options.stopping);
  const { lastEventId: asked } = request.query as { lastEventId?: string };
  const follower = await options.follow(String(request.headers['last-event-id'] ?? '') || asked);
  return sendSse(
    request,
    reply,
    options,
    (gone) => framesOf(request.id, follower, options, gone),
    () => follower[Symbol.dispose](),
  );
}

async function* framesOf(
  requestId: string,
  follower: Follower,
  { check, heartbeatMs, stopping }: StreamOptions,
  gone: AbortSignal,
): AsyncGenerator<string> {
  yield firstFrame;
  let checkAt = performance.now() + heartbeatMs;
  try {
    for (;;) {
      const events = await follower.next(heartbeatMs, gone);
      if (stopping.aborted) return yield endFrame(shuttingDown(), requestId);
      if (gone.aborted) return;
      if (events.length > 0)
        yield events
          .map(eventView)
          .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join('');
      if (performance.now() < checkAt && events.length > 0) continue;
      await check().catch(unlessPassing);
      checkAt = performance.now() + heartbeatMs;
      yield heartbeat;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield endFrame(error, requestId);
  }
}
