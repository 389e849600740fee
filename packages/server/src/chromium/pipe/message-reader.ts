/**
 * Cuts the bytes of Chromium's pipe into messages, each ended by a zero byte. A page decides how long some of them are (the
 * name of a frame, the text of a title), so the limit is kept while the bytes come in: V8 cannot make a string of more than
 * half a gigabyte, and a message of that size must never be held in memory to find that out.
 */
import { LongMessage, longBytes } from '../../kit/long-message.ts';
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
  /** What came in parts, once that is long. */
  #long: LongMessage | undefined;
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
      this.#long = undefined;
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
      if (sessionId === undefined || this.#isClients(sessionId)) this.#refuse();
      return undefined;
    }
    if (this.#cut) return this.#cut.whole() ?? this.#refuse();
    if (this.#long) return this.#long.whole();
    return this.#parts.length === 1 ? last : Buffer.concat(this.#parts);
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#cut) {
      this.#cut.add(part);
      return;
    }
    if (this.#long) this.#long.add(part);
    else this.#parts.push(part);
    if (this.#bytes > this.#limitBytes) this.#cutOff();
    else if (this.#bytes > longBytes && this.#parts.length > 1) this.#join();
  }

  #join(): void {
    this.#long = new LongMessage();
    for (const part of this.#parts) this.#long.add(part);
    this.#parts = [];
  }

  #cutOff(): void {
    const parts = this.#long ? [this.#long.whole()] : this.#parts;
    this.#parts = [];
    this.#long = undefined;
    if (isPausedRequest(parts)) this.#cut = new PausedRequest();
    else if (beginsWith(parts, networkStart)) this.#cut = new NetworkEvent();
    else this.#refuse();
    for (const each of parts) this.#cut?.add(each);
  }

  #refuse(): never {
    throw new MessageTooLargeError(`it sent a message of more than ${this.#limitBytes} bytes`);
  }
}
