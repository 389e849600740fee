/**
 * Work on the pixels of pictures takes a processor for seconds, and one of the pictures came from outside: a thread for each
 * piece of work does it, with an end to its time. Few at once, and of one project one at a time, so that what they hold in
 * memory does not add up and no project waits for all the work of another.
 */
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../errors.ts';
import { KeyedMutex, Mutex } from '../../kit/mutex.ts';
import { ending } from '../../kit/own-source.ts';

/** In pixels of the picture; the ends are not part of it. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type PixelTask =
  | { kind: 'optimize'; png: Uint8Array }
  | { kind: 'compare'; taken: Uint8Array; baseline: Uint8Array; ignored: PixelBox[] };

export interface PixelAnswer {
  bytes: Uint8Array;
  differentPixels?: number;
  comparedPixels?: number;
}

export class PixelTimeout extends Error {}
/** The thread could not do it; of the message, what went wrong. */
export class PixelFailure extends Error {}

const stopped = (): ApiError =>
  new ApiError('SERVICE_SHUTTING_DOWN', 'The service was stopped while it worked on the picture. Try again.');

const resourceLimits = { maxOldGenerationSizeMb: 256 };
const atOnce = 2;

export class PixelWork {
  readonly #projects = new KeyedMutex();
  readonly #lanes = Array.from({ length: atOnce }, () => ({ mutex: new Mutex(), waiting: 0 }));
  readonly #workers = new Set<Worker>();
  #closed = false;

  do(projectId: string, task: PixelTask, timeoutMs: number): Promise<PixelAnswer> {
    return this.#projects.run(projectId, async () => {
      const lane = this.#lanes.reduce((least, each) => (each.waiting < least.waiting ? each : least));
      lane.waiting++;
      try {
        return await lane.mutex.run(() => this.#done(task, timeoutMs));
      } finally {
        lane.waiting--;
      }
    });
  }

  async #done(task: PixelTask, timeoutMs: number): Promise<PixelAnswer> {
    if (this.#closed) throw stopped();
    const url = new URL(`./pixel-worker${ending}`, import.meta.url);
    const worker = new Worker(url, { workerData: task, resourceLimits });
    this.#workers.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<PixelAnswer>();
    const alarm = setTimeout(() => reject(new PixelTimeout()), timeoutMs);
    worker
      .once('message', resolve)
      .once('error', (error: Error) => reject(new PixelFailure(error.message)))
      .once('exit', () => reject(this.#closed ? stopped() : new PixelFailure('the work ended early')));
    try {
      return await promise;
    } finally {
      clearTimeout(alarm);
      await worker.terminate();
      this.#workers.delete(worker);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }
}
