/**
 * A value that is kept as its JSON, because nothing in it is needed here, and parsing millions of values would hold the loop up.
 * It goes out as it came: as a member of an object, or as a line of a stream.
 */
import { isUtf8 } from 'node:buffer';

/** After so many bytes another step begins. */
const stepBytes = 64 * 1024;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

export class RawJson {
  readonly bytes: Uint8Array;

  /** Strict JSON, as far as it is UTF-8 and of one line. */
  constructor(bytes: Uint8Array) {
    if (!isUtf8(bytes)) throw new SyntaxError('JSON that is not UTF-8');
    const seen = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (seen.includes(lineFeed) || seen.includes(carriageReturn))
      throw new SyntaxError('JSON that is not of one line');
    this.bytes = bytes;
  }

  /** How long it is as text. */
  *chars(): Generator<undefined, number> {
    const { bytes } = this;
    let chars = 0;
    for (let at = 0; at < bytes.length; ) {
      for (const end = Math.min(at + stepBytes, bytes.length); at < end; at++) {
        const byte = bytes[at] as number;
        // Each character has one byte that is no continuation; those of four bytes are two letters in text.
        if ((byte & 0xc0) !== 0x80) chars += byte < 0xf0 ? 1 : 2;
      }
      yield;
    }
    return chars;
  }

  /** The beginning of it, as text. */
  start(chars: number): string {
    // No letter is more than three bytes, and the last character may be cut.
    const bytes = this.bytes.subarray(0, 3 * chars + 3);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString().slice(0, chars);
  }

  /** As the first member of this object, written as JSON. */
  writtenInto(name: string, others: object): Buffer {
    const rest = JSON.stringify(others).slice(1);
    const parts = [`{${JSON.stringify(name)}:`, this.bytes, rest === '}' ? rest : `,${rest}`];
    return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  }
}
