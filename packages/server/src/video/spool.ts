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
  let writing: Promise<unknown> = Promise.resolve();
  return {
    get bytes() {
      return bytes;
    },
    get pictures() {
      return pictures;
    },
    add(atMs, picture = new Uint8Array(0)) {
      const head = Buffer.alloc(headBytes);
      head.writeUInt32BE(picture.length);
      head.writeDoubleBE(atMs, 4);
      const written = writing.then(async () => {
        const { bytesWritten } = await file.writev([head, picture]);
        // nothing may follow half an entry
        if (bytesWritten < headBytes + picture.length) throw new Error('the disk took only a part');
        bytes += bytesWritten;
        if (picture.length > 0) pictures++;
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

/** The entries in order, one in memory at a time; when only their times are wanted, without the pictures. */
export async function* readSpool(path: string, withPictures = true): AsyncGenerator<SpoolEntry> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  let atMs = 0;
  for (let position = 0; position + headBytes <= size; ) {
    const head = await readExactly(file, position, headBytes);
    const length = head.readUInt32BE();
    const at = head.readDoubleBE(4);
    position += headBytes;
    if (position + length > size || !(at >= atMs)) return;
    atMs = at;
    yield {
      atMs,
      picture: length > 0 && withPictures ? await readExactly(file, position, length) : undefined,
    };
    position += length;
  }
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error('the file of pictures became shorter while it was read');
  return buffer;
}
