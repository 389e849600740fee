import type { Answer, Api } from './client.ts';
import { expectContract } from './contract.ts';

/** Fonts of the specs, made here: of each every letter is the same square, as wide as the spec says, so that it can be told. */
export interface MadeFont {
  family: string;
  /** Of every letter, in parts of its size. */
  width: number;
  style?: string;
  /** Written over the glyphs. */
  glyphs?: Buffer;
}

const perEm = 1000;
/** All of ASCII that shows. */
const [first, last] = [0x20, 0x7e];

const shorts = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2);
  return bytes;
};
const longs = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4);
  return bytes;
};

/** One contour of four corners, from the base line up. */
function square(width: number): Buffer {
  const side = width * perEm;
  const glyph = [
    shorts(1, 0, 0, side, perEm, 3, 0),
    // four points on the line, each told by two bytes across and two up
    Buffer.from([1, 1, 1, 1]),
    shorts(0, 0, side, 0, 0, perEm, 0, -perEm),
  ];
  return Buffer.concat(glyph);
}

function names(family: string, style: string): Buffer {
  const postScript = `${family.replaceAll(' ', '')}-${style}`;
  const texts = [
    [1, family],
    [2, style],
    [4, `${family} ${style}`],
    [6, postScript],
  ] as const;
  const records: Buffer[] = [];
  const strings: Buffer[] = [];
  let at = 0;
  for (const [id, text] of texts) {
    const bytes = Buffer.from(text, 'utf16le').swap16();
    records.push(shorts(3, 1, 0x409, id, bytes.length, at));
    strings.push(bytes);
    at += bytes.length;
  }
  return Buffer.concat([shorts(0, texts.length, 6 + texts.length * 12), ...records, ...strings]);
}

export function fontOf({ family, width, style = 'Regular', glyphs }: MadeFont): Buffer {
  const drawn = square(width);
  const glyph = Buffer.concat([drawn, Buffer.alloc(drawn.length % 2)]);
  const map = shorts(4, 32, 0, 4, 4, 1, 0, last, 0xffff, 0, first, 0xffff, 0, 1, 4, 0);
  // after the map comes the list that it points to: every letter is glyph 1
  const list = shorts(...Array.from({ length: last - first + 1 }, () => 1));
  map.writeUInt16BE(32 + list.length, 2);
  const tables: Record<string, Buffer> = {
    'OS/2': Buffer.concat([
      shorts(3, width * perEm, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0),
      Buffer.alloc(10),
      longs(1, 0, 0, 0),
      Buffer.from('TEST'),
      shorts(0x40, first, last, perEm, 0, 0, perEm, 0),
      longs(1, 0),
      shorts(500, 700, 0, 32, 1),
    ]),
    cmap: Buffer.concat([shorts(0, 1, 3, 1, 0, 12), map, list]),
    glyf: glyphs ?? glyph,
    head: Buffer.concat([
      longs(0x10000, 0x10000, 0, 0x5f0f3cf5),
      shorts(0, perEm),
      longs(0, 0, 0, 0),
      shorts(0, 0, width * perEm, perEm, 0, 8, 2, 0, 0),
    ]),
    hhea: Buffer.concat([
      longs(0x10000),
      shorts(perEm, 0, 0, width * perEm, 0, 0, width * perEm, 1, 0, 0, 0, 0, 0, 0, 0, 2),
    ]),
    hmtx: shorts(width * perEm, 0, width * perEm, 0),
    loca: shorts(0, 0, (glyphs ?? glyph).length / 2),
    maxp: Buffer.concat([longs(0x10000), shorts(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: names(family, style),
    post: Buffer.concat([longs(0x30000, 0), shorts(-100, 50), longs(0, 0, 0, 0, 0)]),
  };
  return fileOf(tables);
}

function fileOf(tables: Record<string, Buffer>): Buffer {
  const names = Object.keys(tables).sort();
  const directory: Buffer[] = [longs(0x10000), shorts(names.length, 128, 3, names.length * 16 - 128)];
  const bodies: Buffer[] = [];
  let at = 12 + names.length * 16;
  for (const name of names) {
    const bytes = tables[name] as Buffer;
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    let sum = 0;
    for (let each = 0; each < padded.length; each += 4) sum = (sum + padded.readUInt32BE(each)) >>> 0;
    directory.push(Buffer.from(name, 'latin1'), longs(sum, at, bytes.length));
    bodies.push(padded);
    at += padded.length;
  }
  return Buffer.concat([...directory, ...bodies]);
}

export async function uploadFont(api: Api, body: Buffer | FormData): Promise<Answer> {
  const response = await fetch(`${api.url}/v1/fonts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}` },
    body: body as RequestInit['body'],
  });
  const answer = { status: response.status, body: await response.json(), headers: response.headers };
  expectContract('POST', '/v1/fonts', answer);
  return answer;
}
