/**
 * A long message, put together as its pieces come. The memory of each piece goes back at once: held until the last one has come,
 * they would be as much garbage as the message itself, and collecting it takes the processors from those who are served.
 */
import { giveBack } from './give-back.ts';

/** Shorter ones are joined when they are whole. */
export const longBytes = 256 * 1024;
const firstBytes = 1024 ** 2;

export class LongMessage {
  #memory: Buffer;
  #length = 0;

  /** `bytes`: how long it will be, if that is known. Memory that nothing was written to costs nothing yet. */
  constructor(bytes = firstBytes) {
    this.#memory = Buffer.allocUnsafeSlow(bytes);
  }

  get length(): number {
    return this.#length;
  }

  /** The piece is of no use any more afterwards. */
  add(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#memory.length * 2));
      this.#memory.copy(larger, 0, 0, this.#length);
      giveBack(this.#memory);
      this.#memory = larger;
    }
    piece.copy(this.#memory, this.#length);
    this.#length = needed;
    giveBack(piece);
  }

  whole(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }
}
