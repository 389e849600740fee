/**
 * Follows the frames of a WebSocket that is passed through, from the service to its client, and knows where one ends. Only
 * there may a frame of this node's own be put in, such as the close that says why the connection ends.
 */
const closeOpcode = 8;
const headBytes = 2;

export class FrameEdges {
  /** Of the payload of the frame that is passing. */
  #left = 0;
  readonly #head = Buffer.alloc(headBytes + 8);
  #headCame = 0;
  #closed = false;

  /** Between two frames, and the last of them was no close. */
  get open(): boolean {
    return this.#left === 0 && this.#headCame === 0 && !this.#closed;
  }

  pass(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const passing = Math.min(this.#left, chunk.length - at);
        this.#left -= passing;
        at += passing;
        continue;
      }
      this.#head[this.#headCame++] = chunk[at++] as number;
      if (this.#headCame < headBytes) continue;
      const length = (this.#head[1] as number) & 0x7f;
      const more = length < 126 ? 0 : length === 126 ? 2 : 8;
      if (this.#headCame < headBytes + more) continue;
      this.#left =
        more === 0
          ? length
          : more === 2
            ? this.#head.readUInt16BE(headBytes)
            : Number(this.#head.readBigUInt64BE(headBytes));
      this.#closed ||= ((this.#head[0] as number) & 0x0f) === closeOpcode;
      this.#headCame = 0;
    }
  }
}

/** A close frame of a server, with the reason in words. */
export function closeFrame(code: number, reason: string): Buffer {
  const text = Buffer.from(reason);
  const frame = Buffer.alloc(headBytes + 2 + text.length);
  frame[0] = 0x80 | closeOpcode;
  frame[1] = 2 + text.length;
  frame.writeUInt16BE(code, headBytes);
  text.copy(frame, headBytes + 2);
  return frame;
}
