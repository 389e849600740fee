/**
 * What JSON would become, found out before it is parsed: a few megabytes of brackets are gigabytes of objects, and what is
 * parsed is often written again, on a stack that ends sooner; millions of small values are seconds of parsing and checking,
 * which belong to all callers.
 */
import { atOnce } from './at-once.ts';

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** After so many bytes of it another step begins. */
const stepBytes = 64 * 1024;

type Steps = Generator<undefined, boolean>;

/** Whether it is nested deeper than this. */
export const isDeeperThan = (json: Uint8Array, depth: number): boolean =>
  atOnce(isDeeperInSteps(json, depth));

/** Whether it holds more values than this. Each has a comma or an opening bracket before it, but the first of all. */
export const hasMoreThan = (json: Uint8Array, values: number): boolean =>
  atOnce(hasMoreInSteps(json, values));

export function isDeeperInSteps(json: Uint8Array, depth: number): Steps {
  let level = 0;
  return someOutsideStrings(json, (byte) => {
    if (byte === closeBrace || byte === closeBracket) level--;
    return (byte === openBrace || byte === openBracket) && ++level > depth;
  });
}

export function* hasMoreInSteps(json: Uint8Array, values: number): Steps {
  if (json.length <= values) return false;
  let count = 1;
  return yield* someOutsideStrings(
    json,
    (byte) => (byte === comma || byte === openBrace || byte === openBracket) && ++count > values,
  );
}

function* someOutsideStrings(json: Uint8Array, isEnough: (byte: number) => boolean): Steps {
  for (let at = 0; at < json.length; ) {
    const end = Math.min(at + stepBytes, json.length);
    for (; at < end; at++) {
      const byte = json[at]!;
      if (byte === quote) at = endOfString(json, at);
      else if (isEnough(byte)) return true;
    }
    yield;
  }
  return false;
}

/** Most bytes are in strings, and the search for their ends is the engine's own. */
export function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf(quote, at);
    if (at < 0) return json.length;
    let before = at;
    while (json[before - 1] === backslash) before--;
    if ((at - before) % 2 === 0) return at;
  }
}
