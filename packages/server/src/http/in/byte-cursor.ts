/** Reads forward in a stream of chunks from mark to mark, keeping no more than is needed to see the next one. */
export class ByteCursor {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer;

  constructor(chunks: AsyncIterable<Uint8Array>, before: Buffer) {
    this.#source = chunks[Symbol.asyncIterator]();
    this.#held = before;
  }

  /** What comes before the mark, which is skipped. Undefined when it does not come within the limit. */
  async readUntil(mark: Buffer, limit: number): Promise<Buffer | undefined> {
    for (let from = 0; ; ) {
      const at = this.#held.indexOf(mark, from);
      if (at >= 0) return at > limit ? undefined : this.#take(at, mark.length);
      from = Math.max(0, this.#held.length - mark.length + 1);
      if (this.#held.length > limit + mark.length || !(await this.#more())) return undefined;
    }
  }

  /** The same in pieces, of any length. Returns false when the end comes first. */
  async *streamUntil(mark: Buffer): AsyncGenerator<Buffer, boolean> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at >= 0) {
        const last = this.#take(at, mark.length);
        if (last.length > 0) yield last;
        return true;
      }
      // The mark may have begun in the last bytes.
      const sure = this.#held.length - mark.length + 1;
      if (sure > 0) yield this.#take(sure, 0);
      if (!(await this.#more())) return false;
    }
  }

  /** Skips the text if it comes next. */
  async startsWith(text: string): Promise<boolean> {
    while (this.#held.length < text.length && (await this.#more()));
    if (this.#held.toString('latin1', 0, text.length) !== text) return false;
    this.#take(0, text.length);
    return true;
  }

  /** False when there is more than the limit. */
  async skipRest(limit: number): Promise<boolean> {
    let skipped = 0;
    do {
      skipped += this.#held.length;
      this.#held = Buffer.alloc(0);
      if (skipped > limit) return false;
    } while (await this.#more());
    return true;
  }

  #take(length: number, andSkip: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length + andSkip);
    return taken;
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done) return false;
    const { buffer, byteOffset, byteLength } = next.value;
    const chunk = Buffer.from(buffer, byteOffset, byteLength);
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    return true;
  }
}
