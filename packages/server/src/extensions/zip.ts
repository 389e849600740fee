/**
 * Reads ZIP files that a caller sent: by the list at their end, entry by entry, from the disk. Everything that list says is
 * checked before a byte is unpacked, and no entry becomes longer than the list said. What no packer of extensions makes is
 * refused: ZIP64, encryption, other compressions, links.
 */
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { checkedPath, refuseClashes } from './paths.ts';
import { unusable } from './unusable.ts';

export interface ZipEntry {
  /** Its path, with `/` between names; a folder's ends with one. */
  path: string;
  isFolder: boolean;
  size: number;
  readonly packed: { at: number; size: number; isDeflated: boolean; crc32: number };
}

export interface ZipLimits {
  mostFiles: number;
  /** Of all files together, unpacked. */
  mostBytes: number;
}

const endBytes = 22;
const longestComment = 65_535;
const listedBytes = 46;
const headerBytes = 30;
/** A list of so many entries with names as long as they may be. */
const longestName = 1024;

const fileTypes = { mask: 0xf000, regular: 0x8000, folder: 0x4000 };
const broken = (what: string) => unusable(`The package is no ZIP file that can be read: ${what}.`);

/** `start`: where the archive begins in the file; its own numbers count from there. */
export async function readZip(
  file: FileHandle,
  { start, end }: { start: number; end: number },
  limits: ZipLimits,
): Promise<ZipEntry[]> {
  const { count, listAt, listSize } = await findList(file, start, end);
  if (count > limits.mostFiles)
    throw unusable(`The package has ${count} entries; ${limits.mostFiles} are allowed.`, {
      limit: limits.mostFiles,
    });
  if (listSize > count * (listedBytes + 4 * longestName)) throw broken('its list is too long');
  const list = await bytesAt(file, listAt, listSize);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let n = 0; n < count; n++) {
    if (at + listedBytes > list.length || list.readUInt32LE(at) !== 0x02014b50)
      throw broken('its list ends early');
    entries.push(entryAt(list, at, { start, end }));
    at += listedBytes + list.readUInt16LE(at + 28) + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.mostBytes)
    throw unusable(`The package unpacks to ${bytes} bytes; ${limits.mostBytes} are allowed.`, {
      limitBytes: limits.mostBytes,
    });
  refuseClashes(entries);
  return entries;
}

async function findList(
  file: FileHandle,
  start: number,
  end: number,
): Promise<{ count: number; listAt: number; listSize: number }> {
  const tailAt = Math.max(start, end - endBytes - longestComment);
  const tail = await bytesAt(file, tailAt, end - tailAt);
  const found = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (found === -1 || found + endBytes > tail.length) throw broken('it has no list of its files');
  const count = tail.readUInt16LE(found + 10);
  const listSize = tail.readUInt32LE(found + 12);
  const listAt = start + tail.readUInt32LE(found + 16);
  if (tail.readUInt16LE(found + 8) !== count || tail.readUInt16LE(found + 4) !== 0)
    throw broken('it is one part of several');
  if (count === 0xffff || listSize === 0xffffffff) throw broken('it is a ZIP64 file');
  if (listAt + listSize > tailAt + found) throw broken('its list lies outside of it');
  return { count, listAt, listSize };
}

function entryAt(list: Buffer, at: number, { start, end }: { start: number; end: number }): ZipEntry {
  const name = list.subarray(at + listedBytes, at + listedBytes + list.readUInt16LE(at + 28));
  const path = checkedPath(name);
  const isFolder = path.endsWith('/');
  const method = list.readUInt16LE(at + 10);
  const size = list.readUInt32LE(at + 24);
  const packed = {
    at: start + list.readUInt32LE(at + 42),
    size: list.readUInt32LE(at + 20),
    isDeflated: method === 8,
    crc32: list.readUInt32LE(at + 16),
  };
  const type = (list.readUInt32LE(at + 38) >>> 16) & fileTypes.mask;
  if (type !== 0 && type !== fileTypes.regular && type !== fileTypes.folder)
    throw unusable(`${JSON.stringify(path)} is neither a file nor a folder; links are not taken.`);
  if (list.readUInt16LE(at + 8) & 1) throw unusable(`${JSON.stringify(path)} is encrypted.`);
  if (method !== 0 && method !== 8)
    throw unusable(`${JSON.stringify(path)} is packed by method ${method}; use the usual one (deflate).`);
  if (method === 0 && packed.size !== size) throw broken('a stored file has two sizes');
  if (isFolder && size > 0) throw broken('a folder has contents');
  if (packed.at + headerBytes + packed.size > end) throw broken('a file lies outside of it');
  return { path, isFolder, size, packed };
}

/** The bytes of one file; fails when they are not those that the list promised. */
export async function* contentOf(file: FileHandle, { path, size, packed }: ZipEntry): AsyncGenerator<Buffer> {
  const damaged = () => unusable(`${JSON.stringify(path)} in the package is damaged.`);
  const header = await bytesAt(file, packed.at, headerBytes);
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged();
  const from = packed.at + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const raw = piecesOf(file, from, packed.size);
  let sum = 0;
  let seen = 0;
  try {
    for await (const piece of packed.isDeflated ? inflated(raw) : raw) {
      seen += piece.length;
      if (seen > size) throw damaged();
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged() : error;
  }
  if (seen !== size || sum !== packed.crc32) throw damaged();
}

/** Leaving it early ends the reading below it. */
function inflated(raw: AsyncGenerator<Buffer>): AsyncIterable<Buffer> {
  // A failure is told to the reader of what it returns.
  return pipeline(raw, createInflateRaw(), () => undefined);
}

const pieceBytes = 256 * 1024;

async function* piecesOf(file: FileHandle, from: number, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += pieceBytes)
    yield await bytesAt(file, from + at, Math.min(pieceBytes, size - at));
}

/** Exactly so many; fails when the file is shorter. */
export async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw broken('it ends early');
  return buffer;
}
