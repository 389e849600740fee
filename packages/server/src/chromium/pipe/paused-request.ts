/**
 * A request that waits for the service's word, as Chromium tells it: with all that the page sends in it, twice, however much
 * that is. The service never needs it, so of a long one only the two ends are kept:
 *
 *   {"method":"Fetch.requestPaused","params":{"requestId":…,"request":{"url":…,"headers":{…},"postData":"…","hasPostData":true,
 *    "postDataEntries":[…],"initialPriority":…,"referrerPolicy":…},"frameId":…,"resourceType":…,"networkId":…}}
 *
 * A page can put any text into values and names, but there its quotes are escaped, so the marks are always Chromium's own.
 */
import { peekSession, sessionTailLength } from './peek.ts';

const start = Buffer.from('{"method":"Fetch.requestPaused","params":{');
const bodyMark = Buffer.from('},"postData":"');
const restMark = Buffer.from(',"initialPriority":"');

/** Of one of this size or less all is parsed. */
export const shortRequest = 64 * 1024;
/** The largest address that Chromium has, and headers of every usual size. */
const headBytes = 4 * 1024 ** 2;
const tailBytes = 8 * 1024;

/** Whether a message that begins with these parts is about such a request. */
export const isPausedRequest = (parts: readonly Buffer[]): boolean =>
  Buffer.concat(parts.slice(0, 2)).subarray(0, start.length).equals(start);

/** The same message without what the page sends; undefined: it is not of that form. */
export function withoutBody(message: Buffer): Buffer | undefined {
  const body = message.subarray(0, headBytes).indexOf(bodyMark);
  const rest = message.lastIndexOf(restMark);
  if (body < 0 || rest < body) return undefined;
  return Buffer.concat([message.subarray(0, body + 1), message.subarray(rest)]);
}

/** The ends of one that is too large to be held. */
export class PausedRequest {
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer = Buffer.alloc(0);

  add(part: Buffer): void {
    const ofHead = part.subarray(0, Math.max(headBytes - this.#headBytes, 0));
    // Copies: slices would keep all that was read in memory.
    if (ofHead.length > 0) this.#head.push(Buffer.from(ofHead));
    this.#headBytes += ofHead.length;
    const rest = part.subarray(ofHead.length);
    this.#tail = Buffer.from(Buffer.concat([this.#tail, rest.subarray(-tailBytes)]).subarray(-tailBytes));
  }

  /** Undefined where it is a client's, which gets all or nothing. */
  whole(): Buffer | undefined {
    if (this.#tail.length < sessionTailLength || peekSession(this.#tail) !== undefined) return undefined;
    return withoutBody(Buffer.concat([...this.#head, this.#tail]));
  }
}
