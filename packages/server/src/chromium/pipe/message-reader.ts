/**
 * Cuts the bytes of Chromium's pipe into messages, each ended by a zero byte. A page decides how long some of them are (the
 * name of a frame, the text of a title), so the limit is kept while the bytes come in: V8 cannot make a string of more than
 * half a gigabyte, and a message of that size must never be held in memory to find that out.
 */
import { isPausedRequest, PausedRequest } from './paused-request.ts';
import { peekSession } from './peek.ts';

export class MessageTooLargeError extends Error {}

const networkStart = Buffer.from('{"method":"Network.');
const tailBytes = 1024;

/**
 * What a page sent or received, which Chromium tells in full (a body, a frame of a WebSocket). The service logs such things
 * and can do without one; a client gets all or nothing.
 */
class NetworkEvent {
  #tail: Buffer = Buffer.alloc(0);

  add(part: Buffer): void {
    this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-tailBytes)]).subarray(-tailBytes));
  }

  get sessionId(): string | undefined {
    return peekSession(this.#tail);
  }
}

const beginsWith = (parts: readonly Buffer[], start: Buffer): boolean =>
  Buffer.concat(parts.slice(0, 2)).subarray(0, start.length).equals(start);

export class MessageReader {
  readonly #limitBytes: number;
  readonly #isClients: (sessionId: string) => boolean;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** What is kept of one that would be too large. */
  #cut: PausedRequest | NetworkEvent | undefined;

  constructor(limitBytes: number, isClients: (sessionId: string) => boolean = () => true) {
    this.#limitBytes = limitBytes;
    this.#isClients = isClients;
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
      if (whole) yield whole;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** Undefined: the service does without it. */
  #whole(last: Buffer): Buffer | undefined {
    if (this.#cut instanceof NetworkEvent) {
      const { sessionId } = this.#cut;
      if (sessionId === undefined || this.#isClients(sessionId)) throw this.#tooLarge();
      return undefined;
    }
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
    if (isPausedRequest(parts)) this.#cut = new PausedRequest();
    else if (beginsWith(parts, networkStart)) this.#cut = new NetworkEvent();
    else throw this.#tooLarge();
    for (const each of parts) this.#cut.add(each);
  }

  #tooLarge(): MessageTooLargeError {
    return new MessageTooLargeError(`it sent a message of more than ${this.#limitBytes} bytes`);
  }
}
