/**
 * Videos are made one at a time, in order. What fails by accident (a Chromium that was killed) is tried again, and storage
 * that is away is waited for; what is left when the service closes is left as it is, for its next start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import { NothingShownError } from './video-maker.ts';

export interface VideoJob {
  id: string;
  make(signal: AbortSignal): Promise<void>;
  /** It will never be made. */
  fail(reason: string): Promise<void>;
}

const tries = 3;
const longestPauseMs = 60_000;

export class VideoQueue {
  readonly #log: Log;
  readonly #pauseMs: number;
  readonly #waiting: VideoJob[] = [];
  #current: { id: string; cancel: AbortController } | undefined;
  #open = false;
  #work: Promise<void> | undefined;

  /** The first pause before another try; the next are longer. */
  constructor(log: Log, pauseMs = 1000) {
    this.#log = log;
    this.#pauseMs = pauseMs;
  }

  /** Nothing is made before. */
  open(): void {
    this.#open = true;
    this.#begin();
  }

  add(job: VideoJob): void {
    this.#waiting.push(job);
    this.#begin();
  }

  /** Its recording was deleted. */
  drop(id: string): void {
    const at = this.#waiting.findIndex((job) => job.id === id);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.#current?.id === id) this.#current.cancel.abort();
  }

  /** Returns when nothing of it runs; from now on jobs only gather. */
  async close(): Promise<void> {
    this.#open = false;
    this.#current?.cancel.abort();
    await this.#work;
  }

  #begin(): void {
    if (!this.#open || this.#work || this.#waiting.length === 0) return;
    this.#work = this.#run().finally(() => {
      this.#work = undefined;
      this.#begin();
    });
  }

  async #run(): Promise<void> {
    for (let job = this.#waiting.shift(); job; job = this.#open ? this.#waiting.shift() : undefined) {
      const cancel = new AbortController();
      this.#current = { id: job.id, cancel };
      await this.#try(job, cancel.signal).catch((error) =>
        this.#log.error({ err: error, recordingId: job?.id }, 'recording.lost_track'),
      );
      this.#current = undefined;
    }
  }

  async #try(job: VideoJob, signal: AbortSignal): Promise<void> {
    let failures = 0;
    for (let tried = 1; ; tried++) {
      try {
        return await job.make(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#log.warn({ err: error, recordingId: job.id, tried }, 'recording.video_failed');
        if (!isAway(error)) failures++;
        if (failures >= tries || isFinal(error)) return await job.fail(explain(error));
        const pause = Math.min(this.#pauseMs * 2 ** (tried - 1), longestPauseMs);
        await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return;
      }
    }
  }
}

/** What is not meant for callers, such as the path of a file, is for the log alone. */
const explain = (error: unknown): string =>
  error instanceof NothingShownError || error instanceof ApiError
    ? error.message
    : 'its video could not be made; the log has the cause';

const isAway = (error: unknown): boolean => error instanceof ApiError && error.code === 'STORE_UNAVAILABLE';

/** Another try would end the same way. */
const isFinal = (error: unknown): boolean =>
  error instanceof NothingShownError ||
  (error instanceof ApiError && ['QUOTA_EXCEEDED', 'STORAGE_FULL'].includes(error.code)) ||
  (error as NodeJS.ErrnoException).code === 'ENOENT';
