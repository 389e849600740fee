/**
 * The trace of one call as it comes from a runner, unread, in a file of the service: what a runner says is read by a thread,
 * not by the service's loop. It holds what pages showed, secrets among it, so it goes as soon as it is packed.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

/** The heads of records are not counted by the runner. */
const headsShare = 1.1;

export class TraceSpool implements AsyncDisposable {
  readonly folder: string;
  readonly maxBytes: number;
  #bytes = 0;
  #isOver = false;
  #taken: Promise<void> = Promise.resolve();

  private constructor(folder: string, maxBytes: number) {
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  static async open(parent: string, maxBytes: number): Promise<TraceSpool> {
    return new TraceSpool(await mkdtemp(join(parent, 'trace-')), maxBytes);
  }

  get path(): string {
    return join(this.folder, 'records');
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  take(stream: Duplex): void {
    this.#taken = this.#keep(stream);
  }

  /** Once the call is over: when nothing more is written. Returns how many bytes there are. */
  async finished(): Promise<number> {
    await this.#taken;
    return this.#bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#taken;
    await rm(this.folder, { recursive: true, force: true });
  }

  async #keep(stream: Duplex): Promise<void> {
    try {
      await using file = await open(this.path, 'wx', 0o600);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        this.#bytes += chunk.length;
        if (this.#bytes > this.maxBytes * headsShare) {
          this.#isOver = true;
          break;
        }
        await file.write(chunk);
      }
      // The runner waits for it: all of its trace is here.
      stream.end();
    } catch {
      // The runner was ended, or the disk is full; what is here is the trace.
      stream.destroy();
    }
  }
}
