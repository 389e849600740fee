/**
 * The part of a recording that covers one call, as a video of its own, while the recording goes on:
 *
 *   call begins ──place in the file of pictures──> call ends ──pictures since then──> encoder ──> video, soon or not at all
 *
 * The answer of the call waits for it, so it is short, coarse and made within seconds; where it is not, the recording itself
 * has it later, and the caller learns from when to when.
 */
import type { Log } from '../../kit/log.ts';
import { KeyedMutex, Mutex } from '../../kit/mutex.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import { cutOf } from '../../video/video.ts';
import type { Current } from './node-recordings.ts';
import { NothingShownError, type VideoMaker } from './video-maker.ts';
import { detailsIn } from './view.ts';

export interface CutsParts {
  maker: Pick<VideoMaker, 'make'>;
  /** The recording of a browser that runs now. */
  runningOf(browserId: string): Current | undefined;
  log: Log;
}

/** Where a recording was when a call began. */
export interface CutStart {
  current: Current;
  atMs: number;
  place: number;
}

export interface Cut {
  recordingId: string;
  /** In milliseconds of the recording. */
  fromMs: number;
  toMs: number;
  video?: Buffer;
  /** Why there is no video. */
  omitted?: string;
}

/** Of a longer call the last part. */
const mostMs = 120_000;
const leastGapMs = 200;
const mostBytes = 16 * 1024 ** 2;
const patienceMs = 15_000;

export class RecordingCuts {
  readonly #parts: CutsParts;
  /** One Chromium encodes at a time, and none waits behind two of the same project. */
  readonly #turn = new Mutex();
  readonly #turnOfProject = new KeyedMutex();
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #made = 0;

  constructor(parts: CutsParts) {
    this.#parts = parts;
  }

  start(browserId: string): CutStart | undefined {
    const current = this.#parts.runningOf(browserId);
    return current && { current, ...current.recorder.now() };
  }

  /** Undefined: it was not recorded. A recording that began after the call is taken from its own beginning. */
  async take(
    { projectId, id }: { projectId: string; id: string },
    start: CutStart | undefined,
  ): Promise<Cut | undefined> {
    const current = this.#parts.runningOf(id) ?? start?.current;
    if (!current) return undefined;
    const from = current === start?.current ? start : { atMs: 0, place: 0 };
    const { atMs: toMs } = current.recorder.now();
    const fromMs = Math.max(from.atMs, toMs - mostMs);
    const about = { recordingId: current.record.id, fromMs: Math.round(fromMs), toMs: Math.round(toMs) };
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), this.#closing.signal]);
    const make = async (): Promise<Buffer> => {
      signal.throwIfAborted();
      return this.#make(current, { fromMs, toMs, place: from.place }, signal);
    };
    const made = this.#turnOfProject.run(projectId, () => this.#turn.run(make));
    const settled = made.catch(() => undefined).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    try {
      return { ...about, video: await orAborted(made, signal) };
    } catch (error) {
      return { ...about, omitted: this.#reason(error, signal, about.recordingId) };
    }
  }

  /** Returns when nothing of it runs. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  async #make(
    { record, spool }: Current,
    part: { fromMs: number; toMs: number; place: number },
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { width, height } = detailsIn(record);
    const entries = cutOf(spool, { ...part, leastGapMs });
    const scratch = `${spool}.cut-${++this.#made}`;
    const durationMs = Math.max(1, Math.round(part.toMs - part.fromMs));
    await using video = await this.#parts.maker.make({ entries, scratch, width, height, durationMs }, signal);
    if (video.bytes > mostBytes) throw new TooLargeError();
    return Buffer.concat(await Array.fromAsync(video.body));
  }

  #reason(error: unknown, signal: AbortSignal, recordingId: string): string {
    if (this.#closing.signal.aborted) return 'The service was stopped.';
    if (signal.aborted) return `It was not made within ${patienceMs / 1000} seconds. ${elsewhere}`;
    if (error instanceof NothingShownError) return 'No picture was taken while the call ran.';
    if (error instanceof TooLargeError) return `It is larger than ${mostBytes} bytes. ${elsewhere}`;
    this.#parts.log.warn({ err: error, recordingId }, 'recording.cut_failed');
    return `It could not be made; the log has the cause. ${elsewhere}`;
  }
}

class TooLargeError extends Error {}

const elsewhere = 'The recording itself has it.';
