/** What the code threw, or why it could not run, in the plain form that leaves the box. */
import { inspect, stripVTControlCharacters } from 'node:util';
import { isNativeError } from 'node:util/types';
import { limits, type PlaywrightDetails, type ScriptFailure } from '../wire/wire.ts';
import { fileName, ScriptSyntaxError } from './compile.ts';
import { NotSerializableError, TooLargeError } from './result.ts';

export class TabNotFoundError extends Error {}

const cut = (text: string): string =>
  text.length > limits.textChars ? `${text.slice(0, limits.textChars - 1)}…` : text;

export function failureOf(thrown: unknown): ScriptFailure {
  try {
    return (
      knownFailure(thrown) ?? (isErrorLike(thrown) ? errorFailure(thrown) : plain('Error', describe(thrown)))
    );
  } catch {
    // Its own getters or traps throw.
    return plain('Error', 'The script threw something that cannot be described.');
  }
}

function knownFailure(thrown: unknown): ScriptFailure | undefined {
  if (thrown instanceof ScriptSyntaxError) return syntaxFailure(thrown);
  if (thrown instanceof TooLargeError)
    return plain(
      'Error',
      `The result is larger than ${limits.resultBytes} bytes of JSON.`,
      'RESULT_TOO_LARGE',
    );
  if (thrown instanceof NotSerializableError)
    return plain('TypeError', thrown.message, 'RESULT_NOT_SERIALIZABLE');
  if (thrown instanceof TabNotFoundError) return plain('Error', thrown.message, 'TAB_NOT_FOUND');
  return undefined;
}

const plain = (name: string, message: string, code?: ScriptFailure['code']): ScriptFailure => ({
  name,
  message: cut(message),
  stack: cut(`${name}: ${message}`),
  ...(code && { code }),
});

function syntaxFailure({ name, message, line, column }: ScriptSyntaxError): ScriptFailure {
  const at = `${fileName}:${line}${column === undefined ? '' : `:${column}`}`;
  return {
    ...plain(name, message, 'SCRIPT_SYNTAX'),
    stack: cut(`${name}: ${message}\n    at ${at}`),
    line,
    column,
  };
}

interface ErrorLike {
  name: string;
  message: string;
  stack?: string;
  log?: unknown;
}

const isErrorLike = (thrown: unknown): thrown is ErrorLike =>
  isNativeError(thrown) ||
  (typeof thrown === 'object' && thrown !== null && typeof (thrown as ErrorLike).message === 'string');

const describe = (thrown: unknown): string =>
  typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 2, maxStringLength: limits.textChars });

function errorFailure(error: ErrorLike): ScriptFailure {
  const name = String(error.name || 'Error').slice(0, limits.nameChars);
  const message = cut(stripVTControlCharacters(String(error.message)));
  const frames = ownFrames(String(error.stack ?? ''));
  const [, line, column] = new RegExp(`${fileName}:(\\d+):(\\d+)`).exec(frames[0] ?? '') ?? [];
  return {
    name,
    message,
    stack: cut([`${name}: ${message}`, ...frames].join('\n')),
    ...(line && { line: Number(line), column: Number(column) }),
    ...playwrightDetails(error, message),
  };
}

/** The caller's frames only: what lies below them is the runner, Playwright and Node. */
const ownFrames = (stack: string): string[] =>
  stack.split('\n').filter((line) => new RegExp(`^\\s+at (.*\\()?${fileName}:\\d+:\\d+\\)?$`).test(line));

/** Playwright's message begins with the operation and carries its log, whose last wait names the locator. */
function playwrightDetails(error: ErrorLike, message: string): { playwright?: PlaywrightDetails } {
  const apiName = /^([a-zA-Z]+\.[$\w]+): /.exec(message)?.[1];
  const calls = /(?:^|\n)Call log:\n([\s\S]*)/.exec(message)?.[1];
  if (!apiName || (!Array.isArray(error.log) && !calls)) return {};
  const log = (calls ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*-\s?/, '').trimEnd())
    .filter((line) => line.trim())
    .slice(0, 50)
    .map((line) => line.slice(0, 500));
  const waits = log.map((line) => /^\s*waiting for (.+?)(?: to be \w+(?:, \w+)*)?$/.exec(line)?.[1]);
  const selector =
    waits.findLast((each) => each && !/^(navigation|scheduled|element|fonts|event)\b/.test(each)) ??
    /Selector "(.+)" does not match any element/.exec(message)?.[1];
  const matched = [...log, message].some((line) => /\bresolved to\b/.test(line));
  const timeoutMs = Number(/Timeout (\d+)ms exceeded/.exec(message)?.[1]) || undefined;
  return {
    playwright: { apiName, ...(selector && { selector, matched }), ...(timeoutMs && { timeoutMs }), log },
  };
}
