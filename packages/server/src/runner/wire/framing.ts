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

/** Cuts what arrives into frames. Throws WireError at a frame longer than agreed. */
export class FrameReader {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The frames that end in this chunk. */
  *read(chunk: Buffer): Generator<Buffer, void> {
    this.#parts.push(chunk);
    this.#held += chunk.length;
    for (let next = this.#take(); next; next = this.#take()) yield next;
  }

  #take(): Buffer | undefined {
    if (this.#held < headerBytes) return undefined;
    if ((this.#parts[0]?.length ?? 0) < headerBytes) this.#join();
    const length = (this.#parts[0] as Buffer).readUInt32LE();
    if (length > this.#maxBytes)
      throw new WireError(`a frame of ${length} bytes, allowed are ${this.#maxBytes}`);
    if (this.#held < headerBytes + length) return undefined;
    this.#join();
    const whole = this.#parts[0] as Buffer;
    const rest = whole.subarray(headerBytes + length);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    return whole.subarray(headerBytes, headerBytes + length);
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
