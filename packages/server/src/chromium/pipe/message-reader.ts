/**
 * Cuts the bytes of Chromium's pipe into messages, each ended by a zero byte. A page decides how long some of them are (the
 * name of a frame, the text of a title), so the limit is kept while the bytes come in: V8 cannot make a string of more than
 * half a gigabyte, and a message of that size must never be held in memory to find that out.
 */
export class MessageTooLargeError extends Error {}

export class MessageReader {
  readonly #limitBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The messages that end in this chunk. Throws once one is larger than the limit; nothing may be read after that. */
  *read(chunk: Buffer): Generator<Buffer, void> {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end);
      this.#hold(last);
      const whole = this.#parts.length === 1 ? last : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#bytes = 0;
      start = end + 1;
      yield whole;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#limitBytes) {
      this.#parts = [];
      throw new MessageTooLargeError(`it sent a message of more than ${this.#limitBytes} bytes`);
    }
    this.#parts.push(part);
  }
}
