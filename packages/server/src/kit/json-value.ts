/**
 * Parses in steps what was walked before, see json-members.ts, and is known to be JSON: with few values, but long strings. A string of
 * some megabytes that is all escapes takes the engine tens of milliseconds.
 */
import { membersOf } from './json-members.ts';

const [quote, backslash, letterU, openBracket] = [0x22, 0x5c, 0x75, 0x5b];
/** Parsed at once. */
const shortBytes = 32 * 1024;
/** Short members of a long value that are parsed in one step, unless they have more than `shortBytes` together. */
const mostMembers = 200;
/** It was walked already, so its sender is known to have kept to the limits. */
const anyLimits = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** `see` is shown each long value in it with its text. Names of more than a hundred bytes come out empty, see `membersOf`. */
export function* valueInSteps(
  json: Buffer,
  see: (value: unknown, text: Buffer) => void = () => undefined,
): Generator<undefined, unknown> {
  if (json.length <= shortBytes) return JSON.parse(json.toString());
  const value = yield* json[0] === quote ? stringInSteps(json) : membersInSteps(json, see);
  see(value, json);
  return value;
}

function* membersInSteps(
  json: Buffer,
  see: (value: unknown, text: Buffer) => void,
): Generator<undefined, unknown> {
  const members = yield* membersOf(json, anyLimits);
  if (typeof members === 'string') throw new SyntaxError('It is not JSON.');
  const entries: [string, unknown][] = [];
  let bytes = 0;
  for (const { name, start, end } of members) {
    bytes += end - start;
    if (entries.length % mostMembers === 0 || bytes > shortBytes) {
      bytes = 0;
      yield;
    }
    entries.push([name, yield* valueInSteps(json.subarray(start, end), see)]);
  }
  return json[0] === openBracket ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function* stringInSteps(json: Buffer): Generator<undefined, string> {
  const end = json.length - 1;
  const parts: string[] = [];
  for (let at = 1; at < end; ) {
    const until = at + shortBytes < end ? wholeUntil(json, at, at + shortBytes) : end;
    parts.push(JSON.parse(`"${json.toString('utf8', at, until)}"`) as string);
    at = until;
    yield;
  }
  return parts.join('');
}

/** Where a part may end that no character and no escape is cut by. */
function wholeUntil(json: Buffer, from: number, until: number): number {
  let end = until;
  while (((json[end] as number) & 0xc0) === 0x80) end--;
  const last = json.subarray(from, end).lastIndexOf(backslash);
  if (last < 0) return end;
  const mark = from + last;
  let first = mark;
  while (first > from && json[first - 1] === backslash) first--;
  // Of a run of backslashes every second one is what the one before it stands for.
  const begins = (mark - first) % 2 === 0;
  const length = json[mark + 1] === letterU ? 6 : 2;
  return begins && mark + length > end ? mark : end;
}
