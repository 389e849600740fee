/**
 * Masks values in JSON that a caller's code has made, without making a value of it: it may be millions of small ones. Its bytes are
 * walked in steps; what stands in a string is searched as it would be read, whichever way it is escaped, and only the bytes of
 * what was found are replaced.
 *
 *   {"user":"ada","p\u0061ss":"hunter22!","code":123456}
 *                              ├──────┘         └────┤     "hunter22" as a part of a string; 123456 as a whole number
 *   {"user":"ada","p\u0061ss":"•••!","code":"•••"}
 */
import { masked } from '../kit/mask-headers.ts';
import { shortest } from './forms.ts';
import type { KnownValues } from './known-values.ts';
import { isAll } from './mask-text.ts';
import { type Matcher, next } from './matcher.ts';
import { nextOfCharacter } from './search.ts';
import { joined, Spans } from './spans.ts';

const code = (text: string): number => text.charCodeAt(0);
const [quote, backslash, small] = [code('"'), code('\\'), code('u')];
/** The character that each letter behind a backslash means; all but `u`. */
const meant = new Uint8Array(256);
for (const letter of '"\\/bfnrt') meant[code(letter)] = code(JSON.parse(`"\\${letter}"`) as string);

/** After so many bytes, or so many numbers or things found, another step begins. */
const stepBytes = 32 * 1024;
const stepItems = 1000;
/** Longer than any form. */
const window = 64 * 1024;

/** The same JSON where there is nothing to mask. It must be strict. */
export function* maskedJson(
  known: Pick<KnownValues, 'matchers' | 'holdNumbers'>,
  json: Uint8Array,
): Generator<undefined, Uint8Array> {
  const { matchers } = known;
  const found: Spans[] = [];
  for (const matcher of matchers) found.push(yield* new StringSearch(matcher, json).all());
  const inStrings = yield* joined(found);
  const numbers = known.holdNumbers ? yield* numbersIn(matchers, json) : new Spans();
  if (inStrings.count + numbers.count === 0) return json;
  return yield* replaced(json, inStrings, numbers);
}

/** One walk through all strings, names of members included. */
class StringSearch {
  readonly #matcher: Matcher;
  readonly #json: Uint8Array;
  readonly #found = new Spans();
  /** Where each of the last bytes of the string began in the JSON, which an escape is longer than. */
  readonly #began: Int32Array;
  #bytes = 0;
  #state = 0;

  constructor(matcher: Matcher, json: Uint8Array) {
    this.#matcher = matcher;
    this.#json = json;
    this.#began = new Int32Array(Math.min(window, json.length));
  }

  *all(): Generator<undefined, Spans> {
    const json = this.#json;
    let inString = false;
    for (let at = 0, pause = stepBytes; at < json.length; ) {
      const byte = json[at] as number;
      if (byte === quote) {
        inString = !inString;
        this.#state = 0;
        at++;
      } else if (!inString) at++;
      else if (byte === backslash) at = this.#readEscape(at);
      else this.#read(next(this.#matcher, this.#state, byte), at, ++at, 1);
      if (at < pause) continue;
      pause = at + stepBytes;
      yield;
    }
    return this.#found;
  }

  /** The place behind it. */
  #readEscape(at: number): number {
    const letter = this.#json[at + 1] as number;
    if (letter !== small) {
      this.#readCharacter(meant[letter] as number, at, at + 2);
      return at + 2;
    }
    const unit = this.#unitAt(at);
    const isPair =
      (unit & 0xfc00) === 0xd800 && this.#json[at + 6] === backslash && this.#json[at + 7] === small;
    const low = isPair ? this.#unitAt(at + 6) : 0;
    if ((low & 0xfc00) !== 0xdc00) {
      this.#readCharacter(unit, at, at + 6);
      return at + 6;
    }
    this.#readCharacter(0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff), at, at + 12);
    return at + 12;
  }

  #unitAt(at: number): number {
    return Number.parseInt(String.fromCharCode(...this.#json.subarray(at + 2, at + 6)), 16);
  }

  #readCharacter(point: number, at: number, end: number): void {
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    this.#read(nextOfCharacter(this.#matcher, this.#state, point), at, end, bytes);
  }

  #read(state: number, at: number, end: number, bytes: number): void {
    this.#state = state;
    for (let left = bytes; left > 0; left--) this.#began[this.#bytes++ % this.#began.length] = at;
    const length = this.#matcher.bytes[state] as number;
    if (length > 0) this.#found.add(this.#began[(this.#bytes - length) % this.#began.length] as number, end);
  }
}

const setOf = (letters: string): Uint8Array => {
  const set = new Uint8Array(256);
  for (const letter of letters) set[code(letter)] = 1;
  return set;
};
const beginsNumber = setOf('-0123456789');
const isOfExponent = setOf('eE');
const isOfNumber = setOf('-0123456789+.eE');

/** Numbers that are a value, however they are written. */
function* numbersIn(matchers: readonly Matcher[], json: Uint8Array): Generator<undefined, Spans> {
  const found = new Spans();
  let inString = false;
  let numbers = 0;
  for (let at = 0, pause = stepBytes; at < json.length; ) {
    const byte = json[at] as number;
    if (inString || !beginsNumber[byte]) {
      if (byte === quote) inString = !inString;
      at += inString && byte === backslash ? 2 : 1;
    } else {
      const end = endOfNumber(json, at);
      if (!isShort(json, at, end)) {
        // As it stands there, for it goes out so, and as who reads it will have it.
        const text = String.fromCharCode(...json.subarray(at, end));
        if (isAll(matchers, text) || isAll(matchers, String(Number(text)))) found.add(at, end);
        numbers++;
      }
      at = end;
    }
    if (at < pause && numbers < stepItems) continue;
    pause = at + stepBytes;
    numbers = 0;
    yield;
  }
  return found;
}

function endOfNumber(json: Uint8Array, start: number): number {
  let end = start;
  while (isOfNumber[json[end] ?? 0]) end++;
  return end;
}

/** No form is as short as this number is, which is not written shorter than it is, as 1e9 would be. */
function isShort(json: Uint8Array, start: number, end: number): boolean {
  if (end - start >= shortest) return false;
  for (let at = start; at < end; at++) if (isOfExponent[json[at] as number]) return false;
  return true;
}

const inString = Buffer.from(masked);
const asString = Buffer.from(JSON.stringify(masked));

function* replaced(json: Uint8Array, strings: Spans, numbers: Spans): Generator<undefined, Uint8Array> {
  const source = Buffer.from(json.buffer, json.byteOffset, json.length);
  const shown = Buffer.allocUnsafe(
    json.length + strings.count * inString.length + numbers.count * asString.length,
  );
  let [from, to] = [0, 0];
  for (let [string, number] = [0, 0]; string < strings.count || number < numbers.count; ) {
    const isNumber =
      (numbers.starts[number] ?? Number.POSITIVE_INFINITY) <
      (strings.starts[string] ?? Number.POSITIVE_INFINITY);
    const [spans, at, mask] = isNumber ? [numbers, number++, asString] : [strings, string++, inString];
    to += source.copy(shown, to, from, spans.starts[at]);
    to += mask.copy(shown, to);
    from = spans.ends[at] as number;
    if ((string + number) % stepItems === 0) yield;
  }
  to += source.copy(shown, to, from);
  return shown.subarray(0, to);
}
