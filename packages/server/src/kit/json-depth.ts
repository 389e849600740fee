/**
 * Whether JSON is nested deeper than allowed, found out before it is parsed: a few megabytes of brackets become
 * gigabytes of objects, and what is parsed is often written again, on a stack that ends sooner.
 */
const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

export function isDeeperThan(json: Uint8Array, depth: number): boolean {
  let level = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) {
      if (++level > depth) return true;
    } else if (byte === closeBrace || byte === closeBracket) level--;
  }
  return false;
}
