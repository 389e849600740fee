/**
 * The results of a job as they are finished, each once and in order. They come as Server-Sent Events; a connection that
 * breaks is made again and goes on behind the last result. Where something between here and the service keeps streams
 * back, they are asked for in pages instead.
 *
 *   stream ──> result … ──> end of the job
 *     ^  └──broken──> wait ──┐
 *     └──────────────────────┘──opened twice without a word──> pages, every second
 */
import { BrowserdError, unexpectedAnswer } from '../errors.ts';
import type { Error as ApiError, Job, JobResult } from '../generated/schemas.ts';
import {
  type Api,
  type CallOptions,
  chunksOf,
  comesBack,
  connectionError,
  type Frame,
  listing,
  readFrames,
  sleep,
} from '../http/http.ts';

export interface FollowJobOptions extends CallOptions {
  /** Begin behind this result (`seq`). Default: with the first. */
  after?: number;
}

const firstWaitMs = 250;
const longestWaitMs = 15_000;
const pollMs = 1000;
/** A stream that was opened and broke off without a word, so often in a row, is kept back by something on the way. */
const mostMute = 2;

const endings: readonly Job['status'][] = ['completed', 'cancelled', 'failed'];
export const isOver = ({ status }: Job): boolean => endings.includes(status);

/** Ends with the job, whatever became of it. */
export async function* followResults(
  api: Api,
  jobId: string,
  { after = 0, ...options }: FollowJobOptions,
): AsyncGenerator<JobResult, Job, undefined> {
  let last = after;
  let mute = 0;
  for (let failures = 0; mute < mostMute; failures++) {
    let opened = false;
    try {
      const stream = await open(api, jobId, last, options);
      if (!stream) break;
      opened = true;
      for await (const frame of readFrames(chunksOf(stream))) {
        mute = -1;
        const said = read(frame);
        if (said.job) return said.job;
        if (!said.result || said.result.seq <= last) continue;
        last = said.result.seq;
        failures = 0;
        yield said.result;
      }
    } catch (error) {
      const failure = connectionError(error, api.baseUrl, options.signal);
      if (!comesBack(failure)) throw failure;
    }
    if (opened) mute++;
    await sleep(Math.min(firstWaitMs * 2 ** failures, longestWaitMs), options.signal);
  }
  return yield* inPages(api, jobId, last, options);
}

/** Undefined where the answer is no stream although the service was asked for one: something on the way made it another. */
async function open(
  api: Api,
  jobId: string,
  last: number,
  options: CallOptions,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = { accept: 'text/event-stream', 'last-event-id': String(last) };
  const response = await api.open('JobController_results', { path: { jobId }, headers }, options);
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body)
    return response.body;
  if (response.headers.get('content-type')?.startsWith('application/json')) {
    await response.body?.cancel();
    return undefined;
  }
  throw unexpectedAnswer(response, await response.text());
}

/** The last frame has the job, or says why the service ends the stream before. */
function read({ event, data }: Frame): { result?: JobResult; job?: Job } {
  if (event === 'result') return { result: JSON.parse(data) as JobResult };
  if (event !== 'end') return {};
  const said = JSON.parse(data) as { job: Job } | ApiError;
  if ('error' in said) throw new BrowserdError(said.error, 0);
  return said;
}

async function* inPages(
  api: Api,
  jobId: string,
  after: number,
  options: CallOptions,
): AsyncGenerator<JobResult, Job, undefined> {
  const results = listing(api, 'JobController_results', { path: { jobId }, query: { limit: 100 } }, options);
  let last = after;
  let cursor: string | undefined;
  for (;;) {
    try {
      // the job before its results: what is finished in between is seen, and an end is the end of the results too
      const job = await api.json('JobController_get', { path: { jobId } }, options);
      for (let more = true; more; ) {
        const page = await results.page(cursor);
        for (const result of page.items) {
          if (result.seq <= last) continue;
          last = result.seq;
          yield result;
        }
        more = page.nextCursor !== undefined;
        cursor = page.nextCursor ?? cursor;
      }
      if (isOver(job)) return job;
    } catch (error) {
      if (!comesBack(error)) throw error;
    }
    await sleep(pollMs, options.signal);
  }
}
