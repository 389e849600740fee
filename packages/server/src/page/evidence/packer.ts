/**
 * Packing takes a processor for seconds, so a thread does it. One at a time: what traces hold in memory while they are packed
 * does not add up.
 */
import { Worker } from 'node:worker_threads';
import { Mutex } from '../../kit/mutex.ts';
import { ending } from '../../kit/own-source.ts';
import type { Matcher } from '../../secrets/secrets.ts';

export interface PackTask {
  /** The file to write, which is not there yet. */
  out: string;
  /** Of the bytes that must not leave. */
  secrets?: readonly Matcher[];
  /** The records of a trace. */
  trace?: string;
  /** Files and bytes as they are, and text, which is cleaned; of what the caller wrote itself (`isOwn`), of secrets only. */
  entries?: { name: string; path?: string; data?: string | Uint8Array; isOwn?: boolean }[];
}

export interface Packed {
  bytes?: number;
  /** Why there is none. `over`: it was too large. */
  omitted?: string;
}

const patienceMs = 60_000;
const resourceLimits = { maxOldGenerationSizeMb: 768 };

export class Packer {
  readonly #turn = new Mutex();
  #worker: Worker | undefined;
  #closed = false;

  /** Never throws: what cannot be packed is left out, with a reason. */
  pack(task: PackTask): Promise<Packed> {
    return this.#turn.run(async () => {
      if (this.#closed) return { omitted: 'The service was stopped.' };
      const worker = new Worker(new URL(`./pack-worker${ending}`, import.meta.url), {
        workerData: task,
        resourceLimits,
      });
      this.#worker = worker;
      const alarm = setTimeout(() => void worker.terminate(), patienceMs);
      try {
        return await packedBy(worker);
      } finally {
        clearTimeout(alarm);
        await worker.terminate();
        this.#worker = undefined;
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }
}

const packedBy = (worker: Worker): Promise<Packed> =>
  new Promise((resolve) => {
    const failed = (error: Error): void => resolve({ omitted: `It could not be packed: ${error.message}` });
    worker
      .once('message', resolve)
      .once('error', failed)
      .once('exit', () => resolve({ omitted: 'It took too long to pack.' }));
  });
