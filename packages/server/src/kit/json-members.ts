/**
 * Strict JSON without a value being made of it: long messages of clients go on to Chromium as they came, and large results of
 * scripts to their callers, so they must mean there what they mean here. Chromium's own reader is more lenient (it takes comments),
 * hence the whole text is walked, byte by byte and in steps, because its sender decides how long it is. Only where the members of
 * the outermost object stand is told.
 */

/** A member of the outermost object: its name, and from where to where its value goes. */
export interface Member {
  name: string;
  start: number;
  end: number;
}

export type Fault = 'malformed' | 'deep' | 'heavy';

export interface Limits {
  depth: number;
  values: number;
  /** Of the outermost object or array: each is kept as an object that is larger than the shortest of them. */
  members?: number;
}

const stepBytes = 32 * 1024;
/** No name that means anything to us is longer. */
const longestName = 100;
const longestWord = 400;

const code = (text: string): number => text.charCodeAt(0);
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')];
const [openBrace, closeBrace, openBracket, closeBracket] = [code('{'), code('}'), code('['), code(']')];

function setOf(bytes: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const each of bytes) set[code(each)] = 1;
  return set;
}
const isBlank = setOf(' \t\r\n');
const isEscape = setOf('"\\/bfnrt');
const isHex = setOf('0123456789abcdefABCDEF');
const isOfWord = setOf('+-.0123456789eEtrufalsn');
const isSpecial = setOf('"\\');
for (let control = 0; control < 0x20; control++) isSpecial[control] = 1;
const word = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Where the first byte stands that is not just itself in a string: its end, an escape, or what may not be in one. */
function plainUntil(json: Uint8Array, from: number, until: number): number {
  let at = from;
  while (at < until && !isSpecial[json[at] as number]) at++;
  return at;
}

/** Negative: there is no escape. */
function behindEscape(json: Uint8Array, at: number): number {
  if (json[at] !== backslash) return -1;
  const letter = json[at + 1] ?? 0;
  if (isEscape[letter]) return at + 2;
  if (letter !== code('u')) return -1;
  for (let digit = at + 2; digit < at + 6; digit++) if (!isHex[json[digit] ?? 0]) return -1;
  return at + 6;
}

type Next = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

class Walk {
  readonly members: Member[] = [];
  readonly #json: Uint8Array;
  readonly #limits: Required<Limits>;
  /** What is open, from the outside in: true for an object. */
  readonly #open: boolean[] = [];
  #next: Next = 'value';
  #at = 0;
  #values = 0;
  #name = '';
  #start = 0;

  constructor(json: Uint8Array, limits: Limits) {
    this.#json = json;
    this.#limits = { members: limits.values, ...limits };
  }

  *all(): Generator<undefined, Fault | undefined> {
    const json = this.#json;
    for (let pause = stepBytes; this.#at < json.length; ) {
      if (this.#at > pause) {
        pause = this.#at + stepBytes;
        yield;
      }
      const byte = json[this.#at] as number;
      if (isBlank[byte]) this.#at++;
      else if (byte === quote) {
        const start = this.#at;
        if (!(yield* this.#skipString())) return 'malformed';
        if (!this.#took(start)) return 'malformed';
      } else {
        const fault = this.#mark(byte);
        if (fault) return fault;
      }
      if (this.#values > this.#limits.values || this.members.length > this.#limits.members) return 'heavy';
    }
    return this.#next === 'nothing' ? undefined : 'malformed';
  }

  /** Leaves the place behind the closing quote; false when the text is no string. */
  *#skipString(): Generator<undefined, boolean> {
    const json = this.#json;
    for (let at = this.#at + 1, pause = at + stepBytes; at < json.length; ) {
      at = plainUntil(json, at, Math.min(pause, json.length));
      if (at >= pause) {
        pause = at + stepBytes;
        yield;
      } else if (json[at] === quote) {
        this.#at = at + 1;
        return true;
      } else {
        at = behindEscape(json, at);
        if (at < 0) return false;
      }
    }
    return false;
  }

  /** A string has been read: a name, or a value. */
  #took(start: number): boolean {
    if (this.#next !== 'name' && this.#next !== 'nameOrEnd') return this.#began(start) && this.#ended();
    if (this.#open.length === 1) {
      const text = Buffer.from(this.#json.buffer, this.#json.byteOffset + start, this.#at - start);
      this.#name = text.length > longestName ? '' : (JSON.parse(text.toString()) as string);
    }
    this.#next = 'colon';
    return true;
  }

  #mark(byte: number): Fault | undefined {
    let right: boolean;
    if (byte === openBrace || byte === openBracket) {
      right = this.#began(this.#at++);
      this.#open.push(byte === openBrace);
      if (this.#open.length > this.#limits.depth) return 'deep';
      this.#next = byte === openBrace ? 'nameOrEnd' : 'valueOrEnd';
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#at++;
      right = this.#closes(byte === closeBrace);
    } else if (byte === comma) {
      this.#at++;
      right = this.#next === 'commaOrEnd';
      this.#next = this.#open.at(-1) ? 'name' : 'value';
    } else if (byte === colon) {
      this.#at++;
      right = this.#next === 'colon';
      this.#next = 'value';
    } else right = this.#word();
    return right ? undefined : 'malformed';
  }

  #word(): boolean {
    const start = this.#at;
    while (isOfWord[this.#json[this.#at] ?? 0]) this.#at++;
    if (this.#at - start > longestWord) return false;
    return (
      word.test(String.fromCharCode(...this.#json.subarray(start, this.#at))) &&
      this.#began(start) &&
      this.#ended()
    );
  }

  #began(start: number): boolean {
    if (this.#next !== 'value' && this.#next !== 'valueOrEnd') return false;
    this.#values++;
    if (this.#open.length === 1) this.#start = start;
    return true;
  }

  #ended(): boolean {
    if (this.#open.length === 1) this.members.push({ name: this.#name, start: this.#start, end: this.#at });
    this.#next = this.#open.length === 0 ? 'nothing' : 'commaOrEnd';
    return true;
  }

  #closes(object: boolean): boolean {
    const mayEnd = this.#next === 'commaOrEnd' || this.#next === (object ? 'nameOrEnd' : 'valueOrEnd');
    return mayEnd && this.#open.pop() === object && this.#ended();
  }
}

/** The members of an outermost array have no names. */
export function* membersOf(json: Uint8Array, limits: Limits): Generator<undefined, Member[] | Fault> {
  const walk = new Walk(json, limits);
  return (yield* walk.all()) ?? walk.members;
}
