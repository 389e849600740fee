/** EBML, the binary format that WebM is written in (RFC 8794): an id, a length, and data or more elements. */
export const element = (id: number, ...content: Uint8Array[]): Buffer =>
  Buffer.concat([
    head(
      id,
      content.reduce((sum, { length }) => sum + length, 0),
    ),
    ...content,
  ]);

/** Of an element whose content is written elsewhere. Lengths always take eight bytes, so that all places are known beforehand. */
export function head(id: number, length: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length) | (1n << 56n));
  return Buffer.concat([idBytes(id), size]);
}

/** Always eight bytes, for the same reason. */
export function unsigned(id: number, value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeBigUInt64BE(BigInt(value));
  return element(id, data);
}

export function float(id: number, value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeDoubleBE(value);
  return element(id, data);
}

export const text = (id: number, value: string): Buffer => element(id, Buffer.from(value));

/** Ids carry their own length in their first bits. */
export function idBytes(id: number): Buffer {
  const hex = id.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
}
