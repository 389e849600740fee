/**
 * What a runner sends is treated as hostile: user code may have taken over everything inside the box. Only known
 * messages, only known fields, each of the agreed kind and size; the rest is not passed on.
 */
import { hasMoreInSteps, isDeeperThan } from '../kit/json-depth.ts';
import { type Member, membersOf } from '../kit/json-members.ts';
import { RawJson } from '../kit/raw-json.ts';
import {
  type DoneMessage,
  type FilesAsked,
  type FromChild,
  limits,
  type PlaywrightDetails,
  type ScriptFailure,
  WireError,
} from './wire/wire.ts';

type Fields = Record<string, unknown>;

const refuse = (what: string): never => {
  throw new WireError(what);
};

function text(value: unknown, maxChars: number, what: string): string {
  if (typeof value !== 'string' || value.length > maxChars)
    return refuse(`${what} is not a text of the agreed size`);
  return value;
}

function whole(value: unknown, max: number, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > max)
    return refuse(`${what} is not a number in range`);
  return value as number;
}

function oneOf<T extends string>(value: unknown, choices: readonly T[], what: string): T {
  if (!choices.includes(value as T)) return refuse(`${what} is unknown`);
  return value as T;
}

const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === undefined ? undefined : read(value);

const fieldsOf = (value: unknown, what: string): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : refuse(`${what} is not an object`);

/** Messages hold a result at the second level. */
const envelopeDepth = 4;

/** What is around a large result: texts of the agreed sizes. */
const mostAround = 1024 ** 2;
const mostValuesAround = 1000;

/** From this size on, what a script returns is not parsed: only who asked for it needs what is in it. */
const largeBytes = 256 * 1024;

/** In steps, because a script decides how long its result is. */
export function* readInSteps(json: Buffer): Generator<undefined, FromChild> {
  if (json.length <= largeBytes) return readMessage(json);
  const result = yield* resultIn(json);
  if (!result) return yield* readLarge(json);
  const around = [json.subarray(0, result.start), Buffer.from('null'), json.subarray(result.end)];
  const message = yield* readLarge(Buffer.concat(around));
  if (message.type !== 'done' || message.error) return message;
  return { ...message, result: new RawJson(json.subarray(result.start, result.end)) };
}

/** All but a result is of texts of the agreed sizes: there is not much of it. */
function* readLarge(json: Buffer): Generator<undefined, FromChild> {
  if (json.length > mostAround) return refuse('a message that is long beside its result');
  if (yield* hasMoreInSteps(json, mostValuesAround))
    return refuse('a message with many values beside its result');
  return readMessage(json);
}

function* resultIn(json: Buffer): Generator<undefined, Member | undefined> {
  const members = yield* membersOf(json, { depth: limits.depth + envelopeDepth, values: json.length });
  if (members === 'deep') return refuse('a message nested too deeply');
  if (typeof members === 'string') return refuse('a message that is not JSON');
  const results = members.filter(({ name }) => name === 'result');
  return results.length > 1 ? refuse('a message with two results') : results[0];
}

function readMessage(json: Buffer): FromChild {
  if (isDeeperThan(json, limits.depth + envelopeDepth)) return refuse('a message nested too deeply');
  let parsed: unknown;
  try {
    parsed = JSON.parse(json.toString('utf8'));
  } catch {
    return refuse('a message that is not JSON');
  }
  const fields = fieldsOf(parsed, 'a message');
  switch (fields.type) {
    case 'ready':
    case 'attached':
      return { type: fields.type };
    case 'refused':
      return { type: 'refused', message: text(fields.message, limits.textChars, 'message') };
    case 'log': {
      const level = oneOf(fields.level, ['log', 'info', 'warn', 'error', 'debug'], 'level');
      return { type: 'log', level, text: text(fields.text, limits.textChars + 1, 'text') };
    }
    case 'front':
      return { type: 'front', targetId: targetOf(fields.targetId) };
    case 'dialogs':
      return {
        type: 'dialogs',
        listening: fields.listening === true,
        targets: optional(fields.targets, readTargets),
      };
    case 'ask':
      return { type: 'ask', question: whole(fields.question, 2 ** 31, 'question'), ...readAsked(fields) };
    case 'done':
      return readDone(fields);
    default:
      return refuse('a message of an unknown type');
  }
}

const targetOf = (value: unknown): string | undefined =>
  optional(value, (target) => text(target, limits.nameChars, 'targetId'));

function readTargets(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > limits.notices)
    return refuse('targets are not a list of the agreed size');
  return value.map((target) => text(target, limits.nameChars, 'targetId'));
}

function readAsked(fields: Fields): FilesAsked {
  const name = (value: unknown): string => text(value, limits.nameChars, 'name');
  switch (fields.op) {
    case 'path':
      return { op: 'path', fileId: name(fields.fileId) };
    case 'download':
      return { op: 'download', guid: name(fields.guid) };
    case 'ref':
      return { op: 'ref', ref: name(fields.ref), targetId: name(fields.targetId) };
    case 'secret':
      return {
        op: 'secret',
        name: name(fields.name),
        code: fields.code === true,
        targetId: name(fields.targetId),
      };
    case 'write':
      return {
        op: 'write',
        name: name(fields.name),
        mimeType: optional(fields.mimeType, name),
        bytes: whole(fields.bytes, limits.fileBytes, 'bytes'),
      };
    default:
      return refuse('an unknown question');
  }
}

function readDone(fields: Fields): DoneMessage {
  const failed = fields.error !== undefined;
  return {
    type: 'done',
    call: whole(fields.call, Number.MAX_SAFE_INTEGER, 'call'),
    ...(failed ? { error: readFailure(fields.error) } : { result: fields.result ?? null }),
    front: targetOf(fields.front),
    memoryBytes: whole(fields.memoryBytes, Number.MAX_SAFE_INTEGER, 'memoryBytes'),
    cdpSent: whole(fields.cdpSent ?? 0, Number.MAX_SAFE_INTEGER, 'cdpSent'),
    last: fields.last === true,
  };
}

const childCodes = ['SCRIPT_SYNTAX', 'RESULT_NOT_SERIALIZABLE', 'RESULT_TOO_LARGE', 'TAB_NOT_FOUND'] as const;

function readFailure(value: unknown): ScriptFailure {
  const fields = fieldsOf(value, 'error');
  const position = (at: unknown): number => whole(at, 10_000_000, 'position');
  return {
    name: text(fields.name, limits.nameChars, 'name'),
    message: text(fields.message, limits.textChars, 'message'),
    stack: text(fields.stack, limits.textChars, 'stack'),
    code: optional(fields.code, (code) => oneOf(code, childCodes, 'code')),
    line: optional(fields.line, position),
    column: optional(fields.column, position),
    playwright: optional(fields.playwright, readPlaywright),
  };
}

function readPlaywright(value: unknown): PlaywrightDetails {
  const fields = fieldsOf(value, 'playwright');
  const log = optional(fields.log, (lines) =>
    Array.isArray(lines) && lines.length <= 50
      ? lines.map((line) => text(line, 500, 'log line'))
      : refuse('log is not a list'),
  );
  return {
    apiName: optional(fields.apiName, (name) => text(name, limits.nameChars, 'apiName')),
    selector: optional(fields.selector, (selector) => text(selector, limits.textChars, 'selector')),
    matched: optional(fields.matched, (matched) => matched === true),
    timeoutMs: optional(fields.timeoutMs, (ms) => whole(ms, 2 ** 31, 'timeoutMs')),
    log,
  };
}
