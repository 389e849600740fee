/**
 * An archive is a row of entries, each a head that says what it is and how long, then its bytes:
 *
 *   [length of the head][head as JSON][bytes] … state · local storage of each origin · folders and files · end      a version
 *                                               manifest · folders and files · end                             a packed folder
 *
 * It is read as it comes. One without its last entry is cut off, and nothing of it counts.
 */
export type Head =
  | { kind: 'manifest'; size: number }
  | { kind: 'state'; size: number }
  | { kind: 'storage'; origin: string; size: number }
  | { kind: 'folder'; path: string }
  | { kind: 'file'; path: string; size: number }
  | { kind: 'end'; entries: number };

export interface Entry {
  head: Exclude<Head, { kind: 'end' }>;
  body?: Uint8Array | AsyncIterable<Uint8Array>;
}

export interface ReadEntry {
  head: Entry['head'];
  /** Its bytes, once; what is not read is skipped. */
  body: AsyncIterable<Buffer>;
}

const longestHead = 64 * 1024;

const sizeOf = (head: Head): number => ('size' in head ? head.size : 0);

const framed = (head: Head): Buffer => {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
};

export async function* frame(entries: AsyncIterable<Entry> | Iterable<Entry>): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const { head, body } of entries) {
    yield framed(head);
    let written = 0;
    for await (const chunk of body instanceof Uint8Array ? [body] : (body ?? [])) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== sizeOf(head)) throw new Error('An entry of an archive is not as long as it should be.');
    count++;
  }
  yield framed({ kind: 'end', entries: count });
}

/** Bytes of a stream, as many as are asked for. */
class Source {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** At least one, at most so many. */
  async some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error('An archive is cut off.');
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  async exactly(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const piece = await this.some(left);
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

export async function* unframe(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry> {
  const source = new Source(bytes);
  try {
    for (let count = 0; ; count++) {
      const length = (await source.exactly(4)).readUInt32LE();
      if (length > longestHead) throw new Error('An archive is damaged: a head is too long.');
      const head = JSON.parse(String(await source.exactly(length))) as Head;
      if (head.kind === 'end') {
        if (head.entries !== count) throw new Error('An archive is damaged: entries are missing.');
        return;
      }
      let left = sizeOf(head);
      const body = (async function* () {
        while (left > 0) {
          const chunk = await source.some(left);
          left -= chunk.length;
          yield chunk;
        }
      })();
      yield { head, body };
      for await (const _ of body);
    }
  } finally {
    await source.close();
  }
}

export async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}
