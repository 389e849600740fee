/**
 * Parses JSON in steps: what its sender made of many small values would hold the loop up in one piece. The text is walked once,
 * and each run of whole members that is long enough is parsed by the engine itself, so whatever is no JSON is refused by it.
 *
 *   {"a": 1, "list": [{…}, {…}, │ {…}, {…}, │ …]}        │ a run ends here, and another step begins
 */
import { endOfString } from './json-depth.ts';

const [quote, comma] = [0x22, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Parsed at once: even of the smallest values a fraction of a millisecond. */
const runBytes = 32 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Members = Record<string, unknown>;

/** An array or object that is open where the walk is. */
interface Level {
  isObject: boolean;
  openedAt: number;
  /** Where its first member begins that is not in its value yet. */
  unparsed: number;
  /** Where the member begins that the walk is in. */
  member: number;
  /** Made with the first run in it. Before that, all of it is in a run of the level around it. */
  value: unknown[] | Members | undefined;
  /** That member is in the value already: it has a value of its own, whose text ended here. */
  placedUntil: number | undefined;
}

/**
 * Gives what `JSON.parse` gives, and throws where it throws, or where the text is not UTF-8. `see` is shown every string and name
 * as it is written, in some text or other.
 */
export const parseInPieces = (
  json: Uint8Array,
  see: (text: string) => void = () => undefined,
): Generator<undefined, unknown> => new Pieces(json, see).all();

class Pieces {
  readonly #json: Uint8Array;
  readonly #see: (text: string) => void;
  readonly #open: Level[] = [];
  /** Where the last run ended. */
  #since = 0;

  constructor(json: Uint8Array, see: (text: string) => void) {
    this.#json = json;
    this.#see = see;
  }

  *all(): Generator<undefined, unknown> {
    const json = this.#json;
    if (json.length <= runBytes) return this.#parse(this.#textOf(0, json.length));
    for (let at = 0, pause = runBytes; at < json.length; at++) {
      const byte = json[at] as number;
      if (byte === quote) {
        at = endOfString(json, at + 1, pause);
        while (at >= pause && at < json.length) {
          pause = at + runBytes;
          yield;
          at = endOfString(json, at, pause);
        }
      } else if (byte === openBrace || byte === openBracket) this.#begins(at, byte === openBrace);
      else if (byte === comma) this.#parts(at);
      else if (byte === closeBrace || byte === closeBracket) {
        const level = this.#ends(at, byte === closeBrace);
        if (this.#open.length > 0) continue;
        if (level.value === undefined) break;
        this.#expectBlank(at + 1, json.length);
        return level.value;
      }
      if (at < pause) continue;
      pause = at + runBytes;
      yield;
    }
    // No part of it was worth a step, or it is no JSON.
    return this.#parse(this.#textOf(0, json.length));
  }

  #begins(at: number, isObject: boolean): void {
    const next = at + 1;
    this.#open.push({
      isObject,
      openedAt: at,
      unparsed: next,
      member: next,
      value: undefined,
      placedUntil: undefined,
    });
  }

  #parts(at: number): void {
    const level = this.#open.at(-1) ?? refuse();
    if (level.placedUntil !== undefined) {
      this.#expectBlank(level.placedUntil, at);
      level.placedUntil = undefined;
      level.unparsed = at + 1;
    } else if (at - this.#since > runBytes) {
      this.#makeAll();
      this.#addRun(level, at);
      level.unparsed = at + 1;
      this.#since = at;
    }
    level.member = at + 1;
  }

  #ends(at: number, isObject: boolean): Level {
    const level = this.#open.pop();
    if (level?.isObject !== isObject) refuse();
    if (level.value === undefined) return level;
    if (level.placedUntil === undefined) this.#addRun(level, at);
    else this.#expectBlank(level.placedUntil, at);
    this.#since = at;
    const around = this.#open.at(-1);
    if (around) around.placedUntil = at + 1;
    return level;
  }

  /** All levels get their values, each in its place behind what comes before it. */
  #makeAll(): void {
    let around: Level | undefined;
    for (const level of this.#open) {
      if (level.value === undefined) {
        if (around && around.member > around.unparsed) this.#addRun(around, around.member - 1);
        this.#place(level, around);
      }
      around = level;
    }
  }

  #place(level: Level, around: Level | undefined): void {
    level.value = level.isObject ? {} : [];
    const start = around?.member ?? 0;
    if (around?.isObject) {
      // The name and its colon are a member that lacks its value.
      const [name = refuse()] = Object.keys(
        this.#parse(`{${this.#textOf(start, level.openedAt)}0}`) as Members,
      );
      put(around.value as Members, name, level.value);
      return;
    }
    this.#expectBlank(start, level.openedAt);
    (around?.value as unknown[] | undefined)?.push(level.value);
  }

  #addRun({ isObject, unparsed, value }: Level, end: number): void {
    const text = this.#textOf(unparsed, end);
    const added = Object.entries(this.#parse(isObject ? `{${text}}` : `[${text}]`) as Members);
    // Two commas in a row, or one before the end.
    if (added.length === 0) refuse();
    for (const [name, item] of added) {
      if (isObject) put(value as Members, name, item);
      else (value as unknown[]).push(item);
    }
  }

  #textOf(start: number, end: number): string {
    return utf8.decode(this.#json.subarray(start, end));
  }

  #parse(text: string): unknown {
    this.#see(text);
    return JSON.parse(text);
  }

  #expectBlank(start: number, end: number): void {
    if (/[^ \t\r\n]/.test(this.#textOf(start, end))) refuse();
  }
}

function refuse(): never {
  throw new SyntaxError('It is not JSON.');
}

/** As `JSON.parse` does: no name has a meaning of its own. */
function put(members: Members, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
  else members[name] = value;
}
