/** What a PNG says of itself in its first bytes, before any memory is taken for its pixels. */

export interface PngHead {
  width: number;
  height: number;
}

const signature = '89504e470d0a1a0a';
const headBytes = 29;

/** Or why it is none that is read here. */
export function pngHead(bytes: Buffer): PngHead | string {
  if (bytes.length < headBytes || bytes.toString('hex', 0, 8) !== signature) return 'it is no PNG';
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return 'it begins like no PNG';
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width === 0 || height === 0) return 'it says that it has no pixels';
  // One that was packed small has fewer than 8.
  const depth = bytes[24] ?? 0;
  if (depth > 8) return `it has ${depth} bits for each colour, and at most 8 can be compared`;
  // Unpacking one has no limit that its head would tell.
  if (bytes[28] !== 0) return 'it is interlaced';
  return { width, height };
}
