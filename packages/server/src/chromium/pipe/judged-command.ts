/**
 * A long message that the filter has to read: its parameters become values in steps, but for those that no rule looks into. When
 * it is written anew, those and long strings are written as they came. Objects are not: a name that comes twice in one might mean
 * one thing to the filter and another to Chromium.
 */
import { membersOf } from '../../kit/json-members.ts';
import { valueInSteps } from '../../kit/json-value.ts';
import { isOpen, readingOf } from '../filter/filter.ts';
import { type Command, type Failure, invalid, type Refused } from './command.ts';
import { type LongCommand, readLongCommand } from './long-command.ts';

/** Commands whose parameters mean something have few of them, and shallow ones. */
const limits = { depth: 20, values: 20_000, members: 200 };

/** The filter makes objects of its own down to this level. */
const deepestMade = 1;

type Params = Record<string, unknown>;

interface Long {
  /** By what stands for them: long strings for themselves. */
  texts: Map<unknown, Buffer>;
  /** Lists and objects that may hold such strings. */
  holders: Set<unknown>;
}

/** Its parameters are bytes where the filter reads nothing of them. */
export function* readLongMessage(
  message: Buffer,
): Generator<undefined, { command: LongCommand | Command } | Refused> {
  const read = yield* readLongCommand(message);
  if ('failure' in read || isOpen(read.command.method)) return read;
  const { command } = read;
  const params = yield* readParams(command);
  if (!('failure' in params)) return { command: { ...command, ...params } };
  return { ...params, id: command.id, sessionId: command.sessionId };
}

function* readParams({
  method,
  params: json,
}: LongCommand): Generator<undefined, Pick<Command, 'params' | 'written'> | { failure: Failure }> {
  const reading = readingOf(method);
  if (!reading) return { params: {} };
  const members = yield* membersOf(json, limits);
  if (members === 'deep') return invalid('Message is nested too deeply');
  if (typeof members === 'string') return invalid('Message has too many values');
  const long: Long = { texts: new Map(), holders: new Set() };
  const params: [string, unknown][] = [];
  let left = reading.mostBytes;
  for (const { name, start, end } of members) {
    const text = json.subarray(start, end);
    if (reading.unread.has(name)) {
      const standsForIt = {};
      long.texts.set(standsForIt, text);
      params.push([name, standsForIt]);
      continue;
    }
    left -= text.length;
    if (left < 0) return { failure: { code: -32000, message: 'Message is too large' } };
    // Few members, of which each may be as long as what is parsed at once.
    yield;
    const value = yield* valueInSteps(text, (part, itsText) => {
      if (typeof part === 'string') long.texts.set(part, itsText);
      else long.holders.add(part);
    });
    params.push([name, value]);
  }
  return { params: Object.fromEntries(params), written: (judged) => written(judged, long) };
}

function written(params: Params, long: Long): Buffer {
  const parts: (string | Buffer)[] = [];
  const add = (text: string): void => {
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + text;
    else parts.push(text);
  };
  const write = (value: unknown, level: number): void => {
    const text = long.texts.get(value);
    if (text) parts.push(text);
    else if (typeof value !== 'object' || value === null) add(JSON.stringify(value));
    else if (level > deepestMade && !long.holders.has(value)) add(JSON.stringify(value));
    else if (Array.isArray(value)) writeAll('[', value.entries(), ']', level + 1);
    else writeAll('{', Object.entries(value), '}', level + 1);
  };
  const writeAll = (
    open: string,
    members: Iterable<[string | number, unknown]>,
    close: string,
    level: number,
  ): void => {
    add(open);
    let before = '';
    for (const [name, value] of members) {
      if (value === undefined) continue;
      add(typeof name === 'string' ? `${before}${JSON.stringify(name)}:` : before);
      before = ',';
      write(value, level);
    }
    add(close);
  };
  write(params, 0);
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
