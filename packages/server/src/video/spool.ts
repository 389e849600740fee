/**
 * Pictures on their way to become a video, in one file that is only ever appended to:
 *
 *   ┌ length u32 ┬ at f64 (ms from the start) ┬ picture ┐ ┌ 0 ┬ at ┐ ┌ …
 *
 * An entry without a picture is a sign of life: until then the last picture was shown. Whenever the service is killed,
 * the whole entries are good, and a torn last one is known by its length.
 */
import { type FileHandle, open } from 'node:fs/promises';

export interface Spool {
  /** Resolves when it is written, so that the sender waits for a slow disk. After one failure all fail. */
  add(atMs: number, picture?: Uint8Array): Promise<void>;
  readonly bytes: number;
  readonly pictures: number;
  /** Where the last picture begins in the file. */
  readonly lastPicture: number;
  /** Returns when all of it is safe. */
  close(): Promise<void>;
}

export interface SpoolEntry {
  atMs: number;
  picture: Buffer | undefined;
}

const headBytes = 12;

export async function createSpool(path: string): Promise<Spool> {
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  let pictures = 0;
  let lastPicture = 0;
  let writing: Promise<unknown> = Promise.resolve();
  return {
    get bytes() {
      return bytes;
    },
    get pictures() {
      return pictures;
    },
    get lastPicture() {
      return lastPicture;
    },
    add(atMs, picture = new Uint8Array(0)) {
      const head = Buffer.alloc(headBytes);
      head.writeUInt32BE(picture.length);
      head.writeDoubleBE(atMs, 4);
      const written = writing.then(async () => {
        const { bytesWritten } = await file.writev([head, picture]);
        // nothing may follow half an entry
        if (bytesWritten < headBytes + picture.length) throw new Error('the disk took only a part');
        if (picture.length > 0) {
          pictures++;
          lastPicture = bytes;
        }
        bytes += bytesWritten;
      });
      writing = written;
      written.catch(() => undefined);
      return written;
    },
    async close() {
      await writing.catch(() => undefined);
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}

/** The entries in order, one in memory at a time. `from`: where one of them begins. */
export async function* readSpool(path: string, from = 0): AsyncGenerator<SpoolEntry> {
  await using file = await open(path, 'r');
  for await (const { atMs, place, pictureBytes } of headsIn(file, from))
    yield {
      atMs,
      picture: pictureBytes > 0 ? await readExactly(file, place + headBytes, pictureBytes) : undefined,
    };
}

export interface SpoolHead {
  atMs: number;
  /** Where the entry begins. */
  place: number;
  pictureBytes: number;
}

/** Without the pictures. */
export async function* readHeads(path: string, from = 0): AsyncGenerator<SpoolHead> {
  await using file = await open(path, 'r');
  yield* headsIn(file, from);
}

async function* headsIn(file: FileHandle, from: number): AsyncGenerator<SpoolHead> {
  const { size } = await file.stat();
  let lastMs = 0;
  for (let place = from; place + headBytes <= size; ) {
    const head = await readExactly(file, place, headBytes);
    const pictureBytes = head.readUInt32BE();
    const atMs = head.readDoubleBE(4);
    if (place + headBytes + pictureBytes > size || !(atMs >= lastMs)) return;
    lastMs = atMs;
    yield { atMs, place, pictureBytes };
    place += headBytes + pictureBytes;
  }
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error('the file of pictures became shorter while it was read');
  return buffer;
}
