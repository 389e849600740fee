/**
 * Results of a job that are written one by one, each masked as it goes out:
 *
 *   NDJSON: a line for each that there is by now        SSE: `id: <seq>`, `event: result`; at last `event: end` with the job
 *
 * Both are made when the client has taken what was before, so a slow client holds a result, not the job.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { ResultFollower } from '../../jobs/jobs.ts';
import type { Job, JobResult } from '../../jobs/schema.ts';
import { shuttingDown } from '../wire/wire.ts';
import { nothing } from './content.ts';
import {
  cutOffWhenStuck,
  endFrame,
  firstFrame,
  heartbeat,
  refuseWhenStopping,
  type SseOptions,
  sendSse,
  unlessPassing,
} from './sse.ts';

export const wantsLines = ({ headers }: FastifyRequest): boolean =>
  /\bapplication\/x-ndjson\b/i.test(headers.accept ?? '');

const bufferBytes = 64 * 1024;
/** A client that takes no line for so long has gone, or holds a connection for nothing. */
const stuckMs = 60_000;

type Write = (value: unknown) => string;

export function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  results: AsyncGenerator<JobResult>,
  write: Write,
): FastifyReply {
  async function* lines(): AsyncGenerator<string> {
    for await (const result of results) yield `${write(result)}\n`;
  }
  reply.header('content-type', 'application/x-ndjson; charset=utf-8');
  if (request.method === 'HEAD') return reply.send(nothing());
  reply.raw.once('close', cutOffWhenStuck(reply, stuckMs));
  return reply.send(Readable.from(lines(), { objectMode: false, highWaterMark: bufferBytes }));
}

export interface ResultStreamOptions extends SseOptions {
  follow(): Promise<ResultFollower>;
  /** Throws when the caller may no longer listen. */
  check(): Promise<void>;
  show(job: NonNullable<Awaited<ReturnType<ResultFollower['next']>>['over']>): Job;
  write: Write;
}

export async function sendResults(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ResultStreamOptions,
): Promise<FastifyReply> {
  refuseWhenStopping(options.stopping);
  const follower = await options.follow();
  return sendSse(request, reply, options, (gone) => framesOf(request.id, follower, options, gone));
}

async function* framesOf(
  requestId: string,
  follower: ResultFollower,
  { check, show, write, heartbeatMs, stopping }: ResultStreamOptions,
  gone: AbortSignal,
): AsyncGenerator<string> {
  yield firstFrame;
  let checkAt = performance.now() + heartbeatMs;
  try {
    for (;;) {
      const { results, over } = await follower.next(heartbeatMs, gone);
      if (stopping.aborted) return yield endFrame(shuttingDown(), requestId);
      if (gone.aborted) return;
      for (const result of results) yield `id: ${result.seq}\nevent: result\ndata: ${write(result)}\n\n`;
      if (over) return yield `event: end\ndata: ${write({ job: show(over) })}\n\n`;
      if (performance.now() < checkAt && results.length > 0) continue;
      await check().catch(unlessPassing);
      checkAt = performance.now() + heartbeatMs;
      yield heartbeat;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield endFrame(error, requestId);
  }
}
