/**
 * What JSON would become, found out before it is parsed: a few megabytes of brackets are gigabytes of objects, and what is
 * parsed is often written again, on a stack that ends sooner; millions of small values are seconds of parsing and checking,
 * which belong to all callers.
 */
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Whether it is nested deeper than this. */
export function isDeeperThan(json: Uint8Array, depth: number): boolean {
  let level = 0;
  return someOutsideStrings(json, (byte) => {
    if (byte === closeBrace || byte === closeBracket) level--;
    return (byte === openBrace || byte === openBracket) && ++level > depth;
  });
}

/** Whether it holds more values than this. Each has a comma or an opening bracket before it, but the first of all. */
export function hasMoreThan(json: Uint8Array, values: number): boolean {
  if (json.length <= values) return false;
  let count = 1;
  return someOutsideStrings(
    json,
    (byte) => (byte === comma || byte === openBrace || byte === openBracket) && ++count > values,
  );
}

function someOutsideStrings(json: Uint8Array, isEnough: (byte: number) => boolean): boolean {
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === quote) at = endOfString(json, at);
    else if (isEnough(byte)) return true;
  }
  return false;
}

/** Most bytes are in strings, and the search for their ends is the engine's own. */
function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf(quote, at);
    if (at < 0) return json.length;
    let before = at;
    while (json[before - 1] === backslash) before--;
    if ((at - before) % 2 === 0) return at;
  }
}
