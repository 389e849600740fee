/**
 * The logs and the result of a script call while it runs, as Server-Sent Events:
 *
 *   event: log      data: {"level":"info","text":"…","at":"…"}      as many as there are
 *   event: result   data: what the call answers otherwise            the last; or
 *   event: error    data: {"error":{…}}
 *
 * The answer begins with the first log, or after a heartbeat without one: what is refused before is refused as always.
 * The runner bounds the logs, so a client that reads slowly costs no more than the answer would; what it leaves unread is counted.
 */
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LogEntry } from '../../page/page.ts';
import { errorBody, toApiError } from '../wire/wire.ts';
import { cutOffWhenStuck } from './sse.ts';
import { liesUnread } from './unread-answers.ts';

/** A caller that takes nothing for so long has gone. */
const stuckMs = 60_000;

export async function tellAsItRuns(
  request: FastifyRequest,
  reply: FastifyReply,
  heartbeatMs: number,
  /** Gives the result as one line of JSON. */
  execute: (onLog: (entry: LogEntry) => void) => Promise<string | Uint8Array>,
): Promise<FastifyReply> {
  const frames = new PassThrough();
  let begun = false;
  const say = (...parts: (string | Uint8Array)[]): void => {
    if (!begun) {
      begun = true;
      reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      reply.raw.once('close', cutOffWhenStuck(reply, stuckMs));
      void reply.send(frames);
    }
    for (const part of parts) {
      if (frames.destroyed) return;
      liesUnread(frames, part.length);
      frames.write(part);
    }
  };
  const tell = (event: string, json: string | Uint8Array): void =>
    say(`event: ${event}\ndata: `, json, '\n\n');
  const heartbeat = setInterval(() => say(': still here\n\n'), heartbeatMs);
  try {
    tell('result', await execute((entry) => tell('log', JSON.stringify(entry))));
  } catch (error) {
    if (!begun) throw error;
    tell('error', JSON.stringify(errorBody(toApiError(error), request.id)));
  } finally {
    clearInterval(heartbeat);
    frames.end();
  }
  return reply;
}
