/** Chromium may compress the blocks of its tables with Snappy, which Node does not have. Only the reading half is needed. */

/** A block of a table is a few kilobytes; one that claims more than this is damaged. */
const largest = 16 * 1024 ** 2;

export function unsnap(input: Buffer): Buffer {
  let at = 0;
  const next = (): number => {
    const byte = input[at++];
    if (byte === undefined) throw new Error('a compressed block ends too early');
    return byte;
  };
  const number = (bytes: number): number => {
    let value = 0;
    for (let n = 0; n < bytes; n++) value += next() * 256 ** n;
    return value;
  };
  let length = 0;
  for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
    byte = next();
    length += (byte & 127) * 2 ** shift;
    if (length > largest) throw new Error('a compressed block is too large');
  }
  const output = Buffer.alloc(length);
  let end = 0;
  const literal = (bytes: number): void => {
    if (at + bytes > input.length || end + bytes > length) throw new Error('a compressed block is damaged');
    input.copy(output, end, at, at + bytes);
    at += bytes;
    end += bytes;
  };
  /** Byte by byte: what is copied may run into what it writes. */
  const copy = (bytes: number, back: number): void => {
    if (back === 0 || back > end || end + bytes > length) throw new Error('a compressed block is damaged');
    for (let n = 0; n < bytes; n++, end++) output[end] = output[end - back] as number;
  };
  while (at < input.length) {
    const tag = next();
    const upper = tag >> 2;
    if ((tag & 3) === 0) literal((upper < 60 ? upper : number(upper - 59)) + 1);
    else if ((tag & 3) === 1) copy((upper & 7) + 4, ((tag >> 5) << 8) + next());
    else copy(upper + 1, number((tag & 3) === 2 ? 2 : 4));
  }
  if (end !== length) throw new Error('a compressed block is shorter than it says');
  return output;
}
