/**
 * Cuts the bytes of Chromium's pipe into messages, each ended by a zero byte. A page decides how long some of them are (the
 * name of a frame, the text of a title), so the limit is kept while the bytes come in: V8 cannot make a string of more than
 * half a gigabyte, and a message of that size must never be held in memory to find that out.
 */
import { isPausedRequest, PausedRequest } from './paused-request.ts';

export class MessageTooLargeError extends Error {}

export class MessageReader {
  readonly #limitBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** What is kept of one that would be too large. */
  #cut: PausedRequest | undefined;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The messages that end in this chunk. Throws once one is larger than the limit; nothing may be read after that. */
  *read(chunk: Buffer): Generator<Buffer, void> {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end);
      this.#hold(last);
      const whole = this.#whole(last);
      this.#parts = [];
      this.#bytes = 0;
      this.#cut = undefined;
      start = end + 1;
      yield whole;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  #whole(last: Buffer): Buffer {
    const whole = this.#cut
      ? this.#cut.whole()
      : this.#parts.length === 1
        ? last
        : Buffer.concat(this.#parts);
    if (!whole) throw this.#tooLarge();
    return whole;
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#cut) {
      this.#cut.add(part);
      return;
    }
    this.#parts.push(part);
    if (this.#bytes <= this.#limitBytes) return;
    const parts = this.#parts;
    this.#parts = [];
    if (!isPausedRequest(parts)) throw this.#tooLarge();
    this.#cut = new PausedRequest();
    for (const each of parts) this.#cut.add(each);
  }

  #tooLarge(): MessageTooLargeError {
    return new MessageTooLargeError(`it sent a message of more than ${this.#limitBytes} bytes`);
  }
}
