/**
 * Reads a line of characters from a picture, on this machine alone: Tesseract in a thread, its model from npm. There is
 * at most one, started when first needed and ended when it is late, fails, or has had nothing to do for a while.
 */
import { Worker } from 'node:worker_threads';
import { Mutex } from '../../../kit/mutex.ts';
import { orAborted } from '../../../kit/or-aborted.ts';
import { ending } from '../../../kit/own-source.ts';

export interface Reading {
  text: string;
  /** 0 to 100. */
  confidence: number;
}

const idleMs = 30_000;
const resourceLimits = { maxOldGenerationSizeMb: 256 };

export class Ocr {
  readonly #turn = new Mutex();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** One at a time; a reading that does not come in time ends the thread. */
  read(picture: Buffer, signal: AbortSignal): Promise<Reading> {
    return this.#turn.run(async () => {
      signal.throwIfAborted();
      clearTimeout(this.#idle);
      const worker = this.#worker ?? this.#start();
      try {
        const reading = await answerOf(worker, picture, signal);
        this.#idle = setTimeout(() => void this.close(), idleMs).unref();
        return reading;
      } catch (error) {
        await this.close();
        throw error;
      }
    });
  }

  #start(): Worker {
    const options = { resourceLimits, stdout: true, stderr: true };
    const worker = new Worker(new URL(`./ocr-worker${ending}`, import.meta.url), options);
    // What it writes about a picture does not belong into the log.
    worker.stdout.resume();
    worker.stderr.resume();
    // A call that waits for an answer listens for failures itself; between two readings there is none.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

async function answerOf(worker: Worker, picture: Buffer, signal: AbortSignal): Promise<Reading> {
  const { promise, resolve, reject } = Promise.withResolvers<Reading>();
  const failed = (error: Error): void => reject(new Error(`the picture could not be read: ${error.message}`));
  const ended = (): void => reject(new Error('the reader of pictures ended'));
  worker.once('message', resolve).once('error', failed).once('exit', ended);
  try {
    worker.postMessage(new Uint8Array(picture));
    return await orAborted(promise, signal);
  } finally {
    worker.off('message', resolve).off('error', failed).off('exit', ended);
  }
}
