/**
 * What is looked at of a font when it is uploaded: the directory of its tables, so that a damaged one is told now, and its
 * names, so that the caller knows what to write in CSS. Glyphs, hints and all else are read by Chromium alone, in its box.
 *
 *   file ─┬─ directory ─┬─ table "name" ─> faces         a collection ("ttcf") has several directories
 *         │             └─ other tables: their places and that the needed ones are there
 */
import type { FileHandle } from 'node:fs/promises';
import { ApiError } from '../errors.ts';
import { namesIn } from './names.ts';
import type { Face, Font } from './schema.ts';

const kinds: Record<string, Font['format']> = {
  '00010000': 'ttf',
  '74727565': 'ttf', // "true"
  '4f54544f': 'otf', // "OTTO"
  '74746366': 'ttc', // "ttcf"
};
/** Of the web, not of a system: Chromium takes them only from pages. */
const packed: Record<string, string> = { '774f4646': 'WOFF', '774f4632': 'WOFF2' };

const needed = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name'];
/** One of these has the glyphs. */
const drawn = ['glyf', 'CFF ', 'CFF2', 'CBDT', 'sbix', 'SVG '];

const mostTables = 256;
const mostFaces = 64;
const longestNames = 256 * 1024;
const headMagic = 0x5f0f3cf5;

export interface FoundFont {
  format: Font['format'];
  faces: Face[];
}

const unusableFont = (why: string): ApiError =>
  new ApiError('FONT_INVALID', `This is no font that can be used: ${why}.`);

type Table = { offset: number; length: number };

export async function readFont(file: FileHandle): Promise<FoundFont> {
  const { size } = await file.stat();
  const kind = (await read(file, 0, 4, size)).toString('hex');
  const format = kinds[kind];
  if (kind in packed)
    throw unusableFont(
      `it is packed as ${packed[kind]}, which only pages can load. Upload the TTF or OTF that it was made of`,
    );
  if (!format) throw unusableFont('it begins like no TTF, OTF or TTC');
  const faces: Face[] = [];
  for (const start of format === 'ttc' ? await startsIn(file, size) : [0])
    faces.push(await readFace(file, start, size));
  return { format, faces };
}

/** Of the fonts of a collection. */
async function startsIn(file: FileHandle, size: number): Promise<number[]> {
  const count = (await read(file, 8, 4, size)).readUInt32BE();
  if (count === 0 || count > mostFaces)
    throw unusableFont(`a collection has 1 to ${mostFaces} fonts, and this one says ${count}`);
  const starts = await read(file, 12, count * 4, size);
  return Array.from({ length: count }, (_, at) => starts.readUInt32BE(at * 4));
}

async function readFace(file: FileHandle, start: number, size: number): Promise<Face> {
  const count = (await read(file, start + 4, 2, size)).readUInt16BE();
  if (count === 0 || count > mostTables)
    throw unusableFont(`it has 1 to ${mostTables} tables, and this one says ${count}`);
  const directory = await read(file, start + 12, count * 16, size);
  const tables = new Map<string, Table>();
  for (let at = 0; at < directory.length; at += 16) {
    const tag = directory.toString('latin1', at, at + 4);
    const [offset, length] = [directory.readUInt32BE(at + 8), directory.readUInt32BE(at + 12)];
    if (offset + length > size) throw unusableFont(`its table ${JSON.stringify(tag)} ends after the file`);
    if (tables.has(tag)) throw unusableFont(`it has the table ${JSON.stringify(tag)} twice`);
    tables.set(tag, { offset, length });
  }
  const missing = needed.filter((tag) => !tables.has(tag));
  if (missing.length > 0) throw unusableFont(`it lacks the table ${missing.join(' and ')}`);
  if (!drawn.some((tag) => tables.has(tag))) throw unusableFont('it has no glyphs');
  const head = tables.get('head') as Table;
  if ((await read(file, head.offset + 12, 4, size)).readUInt32BE() !== headMagic)
    throw unusableFont('its table "head" is damaged');
  const { offset, length } = tables.get('name') as Table;
  if (length > longestNames) throw unusableFont(`its names take ${length} bytes, of at most ${longestNames}`);
  const face = namesIn(await read(file, offset, length, size));
  if (!face) throw unusableFont('it has no family name, so no page could ask for it');
  return face;
}

async function read(file: FileHandle, start: number, length: number, size: number): Promise<Buffer> {
  if (start + length > size) throw unusableFont('it ends too soon');
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, start);
  if (bytesRead < length) throw unusableFont('it ends too soon');
  return buffer;
}
