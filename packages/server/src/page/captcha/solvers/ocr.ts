import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Mutex } from '../../../kit/mutex.ts';

/**
 * Reads a line of characters from a picture, on this machine alone: Tesseract in a worker thread, its model from npm.
 * There is at most one, started when first needed and ended when it is late, or has had nothing to do for a while.
 */
export interface Reading {
  text: string;
  /** 0 to 100. */
  confidence: number;
}

interface Tesseract {
  recognize(image: Buffer): Promise<{ data: Reading }>;
  setParameters(parameters: Record<string, string>): Promise<unknown>;
  terminate(): Promise<unknown>;
}

const idleMs = 30_000;
const lstmOnly = 1;
const oneLine = '7';
const readable = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export class Ocr {
  readonly #turn = new Mutex();
  #worker: Promise<Tesseract> | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** One at a time; a reading that does not come in time ends the worker. */
  read(picture: Buffer, signal: AbortSignal): Promise<Reading> {
    return this.#turn.run(async () => {
      signal.throwIfAborted();
      clearTimeout(this.#idle);
      const { promise: late, reject } = Promise.withResolvers<never>();
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        this.#worker ??= start();
        const reading = this.#worker.then((worker) => worker.recognize(picture));
        const { data } = await Promise.race([reading, late]);
        this.#idle = setTimeout(() => void this.close(), idleMs).unref();
        return { text: data.text.replace(/\s+/g, ''), confidence: data.confidence };
      } catch (error) {
        await this.close();
        throw error;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.then((each) => each.terminate()).catch(() => undefined);
  }
}

async function start(): Promise<Tesseract> {
  const { createWorker } = (await import('tesseract.js')).default;
  const model = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));
  const worker = (await createWorker('eng', lstmOnly, {
    langPath: join(model, '4.0.0_best_int'),
    cacheMethod: 'none',
    gzip: true,
    // Without it the failure of a job would be thrown where nobody can catch it; the job itself fails as well.
    errorHandler: () => undefined,
  })) as unknown as Tesseract;
  await worker.setParameters({ tessedit_pageseg_mode: oneLine, tessedit_char_whitelist: readable });
  return worker;
}
