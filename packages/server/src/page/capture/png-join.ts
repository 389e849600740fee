/**
 * Pictures of equal width, put one below the other without looking at their pixels: the rows of a PNG are packed each by its
 * difference to the one above, so rows are unpacked, only the first of each picture is written in full, and all are packed again.
 *
 *   picture ──chunks──> IDAT ──inflate──> rows, the first in full ──deflate──> IDAT of the whole
 */
import { promisify } from 'node:util';
import { constants, crc32, createDeflate, inflate } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const unpack = promisify(inflate);
/** Channels by colour type: only those that Chromium writes. */
const channels: Record<number, number> = { 2: 3, 6: 4 };

interface Picture {
  width: number;
  height: number;
  /** Depth, colour type and the rest of the header, which must be the same in all. */
  kind: Buffer;
  packed: Buffer;
}

class NotJoinableError extends Error {}

function read(png: Buffer): Picture {
  const packed: Buffer[] = [];
  let header: Buffer = Buffer.alloc(13);
  for (let at = signature.length; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    const name = png.toString('latin1', at + 4, at + 8);
    if (name === 'IHDR') header = data;
    if (name === 'IDAT') packed.push(data);
    at += 12 + length;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return { width, height, kind: header.subarray(8), packed: Buffer.concat(packed) };
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The first row of a picture is told by what is left of each pixel, or as it is, for there is nothing above it. */
function inFull(row: Buffer, size: number): void {
  const how = row[0] ?? 0;
  // above is nothing, so Up adds nothing and Paeth is what is left; Average is half of that
  const part = how === 1 || how === 4 ? 1 : how === 3 ? 0.5 : 0;
  row[0] = 0;
  if (part === 0) return;
  for (let at = 1 + size; at < row.length; at++)
    row[at] = ((row[at] ?? 0) + Math.floor((row[at - size] ?? 0) * part)) & 255;
}

/** `next` gives one picture after the other, of so many rows in all. */
export async function* joined(next: AsyncIterable<Buffer>, rows: number): AsyncGenerator<Buffer> {
  const deflate = createDeflate({ level: constants.Z_BEST_SPEED });
  const pieces: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => pieces.push(piece));
  let first: Picture | undefined;
  let left = rows;
  for await (const png of next) {
    const picture = read(png);
    const size = channels[picture.kind[1] ?? 0];
    if (!size || (first && !(picture.width === first.width && picture.kind.equals(first.kind))))
      throw new NotJoinableError('The parts of the picture are not of one kind.');
    if (!first) yield Buffer.concat([signature, headerOf(picture, rows)]);
    first = picture;
    const unpacked = await unpack(picture.packed);
    inFull(unpacked.subarray(0, 1 + picture.width * size), size);
    left -= picture.height;
    await new Promise<void>((resolve, reject) => {
      deflate.write(unpacked, (error) => (error ? reject(error) : resolve()));
    });
    for (const piece of pieces.splice(0)) yield chunk('IDAT', piece);
  }
  if (left !== 0)
    throw new NotJoinableError(`The parts of the picture have ${rows - left} rows, not ${rows}.`);
  const over = new Promise((resolve) => deflate.once('end', resolve));
  deflate.end();
  await over;
  for (const piece of pieces) yield chunk('IDAT', piece);
  yield chunk('IEND', Buffer.alloc(0));
}

function headerOf({ width, kind }: Picture, rows: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(rows, 4);
  return chunk('IHDR', Buffer.concat([size, kind]));
}
