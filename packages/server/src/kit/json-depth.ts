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
  let inString = false;
  for (let at = 0; at < json.length; ) {
    const end = Math.min(at + stepBytes, json.length);
    while (at < end) {
      if (inString) {
        at = endOfString(json, at, end);
        if (at >= end) break;
        inString = false;
        at++;
      } else {
        const byte = json[at++]!;
        if (byte === quote) inString = true;
        else if (isEnough(byte)) return true;
      }
    }
    yield;
  }
  return false;
}

/** Shorter strings are walked: the engine would be asked too often. */
const nearBytes = 32;

/**
 * The place of the quote that ends the string, from any place inside of it that is no second half of an escape. A place that
 * is not before `until`: it has not ended by then, and may be asked for again from there. So a sender who escapes every quote
 * decides how many steps are taken, not how long one is. Most bytes are in long strings, where the engine itself looks for the quote:
 * behind anything but a backslash it is the end.
 */
export function endOfString(json: Uint8Array, from: number, until: number): number {
  let at = from;
  for (let near = at + nearBytes; at < until; ) {
    const byte = json[at];
    if (byte === quote) return at;
    at += byte === backslash ? 2 : 1;
    if (at < near) continue;
    const next = json.indexOf(quote, at);
    if (next < 0) return json.length;
    if (json[next - 1] !== backslash) at = next;
    near = next + nearBytes;
  }
  return at;
}
