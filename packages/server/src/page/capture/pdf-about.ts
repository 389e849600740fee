/**
 * What a PDF says about itself, changed without reading it whole: a PDF may be added to at its end, where a newer version of
 * its information replaces that in front. So the bytes pass through, and only the first and the last of them are looked at.
 */
import { Transform, type TransformCallback } from 'node:stream';
import type { Print } from './schema.ts';

export type About = NonNullable<Print['about']>;

const names: Record<keyof About, string> = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
};

/** Enough for the information that Chromium writes first, and for what it writes last. */
const headBytes = 64 * 1024;
const tailBytes = 2048;

const text = (value: string): string =>
  `<${Buffer.from(`\ufeff${value}`, 'utf16le').swap16().toString('hex')}>`;

const information = /^1 0 obj\s*<<([\s\S]*?)>>\s*endobj/m;
const entry = /\/(\w+)\s*(\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)|<[0-9A-Fa-f\s]*>)/g;
const ending = /trailer\s*<<([\s\S]*?)>>\s*startxref\s*(\d+)\s*%%EOF\s*$/;

export class PdfAbout extends Transform {
  readonly #about: About;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #bytes = 0;

  constructor(about: About) {
    super();
    this.#about = about;
  }

  override _transform(piece: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#bytes += piece.length;
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, headBytes - this.#head.length)]);
    this.#tail = Buffer.concat([this.#tail, piece]).subarray(-tailBytes);
    done(null, piece);
  }

  override _flush(done: TransformCallback): void {
    const added = addition(
      this.#about,
      this.#head.toString('latin1'),
      this.#tail.toString('latin1'),
      this.#bytes,
    );
    done(null, added && Buffer.from(added, 'latin1'));
  }
}

/** Undefined: it ends as no PDF of Chromium's does, and is left as it is. */
function addition(about: About, head: string, tail: string, bytes: number): string | undefined {
  const [, trailer = '', before] = ending.exec(tail) ?? [];
  const size = Number(/\/Size\s+(\d+)/.exec(trailer)?.[1]);
  const root = /\/Root\s+\d+\s+\d+\s+R/.exec(trailer)?.[0];
  if (!root || !Number.isSafeInteger(size)) return undefined;
  const told = new Map<string, string>();
  for (const [, name = '', value = ''] of (information.exec(head)?.[1] ?? '').matchAll(entry))
    told.set(name, value);
  for (const [field, value] of Object.entries(about))
    if (value !== undefined) told.set(names[field as keyof About], text(value));
  const entries = [...told].map(([name, value]) => `/${name} ${value}`).join('\n');
  const object = `\n${size} 0 obj\n<<${entries}>>\nendobj\n`;
  const table = `xref\n${size} 1\n${String(bytes + 1).padStart(10, '0')} 00000 n \n`;
  const end = `trailer\n<</Size ${size + 1}\n${root}\n/Info ${size} 0 R\n/Prev ${before}>>\nstartxref\n${bytes + object.length}\n%%EOF\n`;
  return object + table + end;
}
