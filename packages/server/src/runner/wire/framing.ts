/**
 * How the service and a runner talk: three inherited sockets, each a row of frames.
 *
 *   fd 3  CDP       length · one CDP message (JSON)
 *   fd 4  control   length · kind · JSON message, or bytes that belong to the message before
 *   fd 5  streams   length · operation · stream number · bytes     (see streams.ts)
 *
 * Used on both sides. The length is checked before anything is kept, so neither side can be made to hold more than
 * it agreed to.
 */
export const descriptors = { cdp: 3, control: 4, streams: 5, node: 6, seccomp: 7 } as const;

const MiB = 1024 ** 2;

export const limits = {
  /** One CDP message, either way: a screenshot or a file of 50 MB in base64 fits. */
  cdpFrame: 128 * MiB,
  resultBytes: 8 * MiB,
  /** A result, or an error with its stack, and room for the message around it. */
  controlFrame: 10 * MiB,
  chunk: 1 * MiB,
  fileBytes: 32 * MiB,
  codeBytes: 256 * 1024,
  argsBytes: 10 * MiB,
  logEntries: 1000,
  logBytes: 256 * 1024,
  /** Nesting of a result: far more than people write, far less than a JSON writer's stack holds. */
  depth: 512,
  textChars: 16 * 1024,
  nameChars: 256,
  /** Of each other kind of message of a call: requests for files, tabs coming to the front, dialogs. */
  notices: 200,
  streams: 32,
} as const;

export class WireError extends Error {}

const headerBytes = 4;

export function frame(...parts: Uint8Array[]): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
  return Buffer.concat([header, ...parts]);
}

/** A frame of many pieces, put together as they come. */
interface Gathered {
  /** The piece is of no use any more afterwards. */
  add(piece: Buffer): void;
  whole(): Buffer;
}

/** A long frame is worth gathering, where that can be done. */
const longBytes = 256 * 1024;

/** Cuts what arrives into frames. Throws WireError at a frame longer than agreed. */
export class FrameReader {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;
  /** A long frame of which not all has come. */
  #long: { message: Gathered; missing: number } | undefined;
  readonly #gather: ((bytes: number) => Gathered) | undefined;

  /** Without `gather`, the pieces of a long frame are kept until it is whole. */
  constructor(maxBytes: number, gather?: (bytes: number) => Gathered) {
    this.#maxBytes = maxBytes;
    this.#gather = gather;
  }

  /** The frames that end in this chunk, which is of no use to anything else any more. */
  *read(chunk: Buffer): Generator<Buffer, void> {
    const ofLong = Math.min(this.#long?.missing ?? 0, chunk.length);
    if (this.#long) {
      const { message } = this.#long;
      this.#long.missing -= ofLong;
      const follows = ofLong < chunk.length;
      if (follows) this.#hold(chunk.subarray(ofLong));
      message.add(follows ? chunk.subarray(0, ofLong) : chunk);
      if (this.#long.missing > 0) return;
      this.#long = undefined;
      yield message.whole();
    } else this.#hold(chunk);
    for (let next = this.#take(); next; next = this.#take()) yield next;
  }

  #hold(part: Buffer): void {
    this.#parts.push(part);
    this.#held += part.length;
  }

  #take(): Buffer | undefined {
    if (this.#held < headerBytes) return undefined;
    if ((this.#parts[0]?.length ?? 0) < headerBytes) this.#join();
    const length = (this.#parts[0] as Buffer).readUInt32LE();
    if (length > this.#maxBytes)
      throw new WireError(`a frame of ${length} bytes, allowed are ${this.#maxBytes}`);
    if (this.#held < headerBytes + length) {
      if (this.#gather && length > longBytes) this.#beginLong(this.#gather(length), length);
      return undefined;
    }
    this.#join();
    const whole = this.#parts[0] as Buffer;
    const rest = whole.subarray(headerBytes + length);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    return whole.subarray(headerBytes, headerBytes + length);
  }

  #beginLong(message: Gathered, length: number): void {
    this.#join();
    const begun = (this.#parts[0] as Buffer).subarray(headerBytes);
    message.add(begun);
    this.#long = { message, missing: length - begun.length };
    this.#parts = [];
    this.#held = 0;
  }

  #join(): void {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
  }
}

export const controlKinds = { message: 0, bytes: 1 } as const;
const kindBytes = {
  message: Buffer.from([controlKinds.message]),
  bytes: Buffer.from([controlKinds.bytes]),
};

export const messageFrame = (message: unknown): Buffer =>
  frame(kindBytes.message, Buffer.from(JSON.stringify(message), 'utf8'));

export function* bytesFrames(data: Uint8Array): Generator<Buffer> {
  for (let start = 0; start < data.length; start += limits.chunk)
    yield frame(kindBytes.bytes, data.subarray(start, start + limits.chunk));
}
