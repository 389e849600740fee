/**
 * JSON that is small to send can be large to hold: 90 MB of `[` are gigabytes of empty arrays. So before a large message
 * is parsed, its values are counted. Strings are jumped over: a message that is one long string, which most large ones
 * are, costs nothing here.
 */
const lightMessage = 1024 ** 2;
const mostValues = 2_000_000;

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
/** Each of these comes with at least one more value. */
const marks = new Uint8Array(256);
for (const mark of '[{,:') marks[mark.charCodeAt(0)] = 1;

export const isHeavy = (message: string | Buffer): boolean =>
  message.length > lightMessage &&
  countValues(typeof message === 'string' ? Buffer.from(message) : message) > mostValues;

function countValues(bytes: Buffer): number {
  let values = 0;
  for (let at = 0; at < bytes.length && values <= mostValues; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) at = endOfString(bytes, at);
    else values += marks[byte] as number;
  }
  return values;
}

function endOfString(bytes: Buffer, start: number): number {
  const next = bytes.indexOf(quote, start + 1);
  if (next === -1) return bytes.length;
  if (bytes[next - 1] !== backslash) return next;
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
