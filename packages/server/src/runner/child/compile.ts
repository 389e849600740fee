/**
 * User code is the body of an async function, in JavaScript or TypeScript. It is wrapped on its own first line with
 * the columns shifted back, so every position is the caller's. Plain JavaScript is tried first and never passes the
 * type stripper; the stripper keeps positions (it replaces types by blanks).
 */
import { stripTypeScriptTypes } from 'node:module';
import { Script } from 'node:vm';

export const fileName = 'script';
const before = '(async () => {';
const after = '\n})';

export class ScriptSyntaxError extends Error {
  readonly line: number;
  readonly column: number | undefined;

  constructor(message: string, at: Position) {
    super(message);
    this.name = 'SyntaxError';
    this.line = at.line;
    this.column = at.column;
  }
}

interface Position {
  line: number;
  column?: number;
}

export type AsyncFunctionOf = new (code: string) => unknown;

export function compile(code: string, AsyncFunction: AsyncFunctionOf): Script {
  try {
    return compileJavaScript(code, AsyncFunction);
  } catch (error) {
    if ((error as Error).name !== 'SyntaxError') throw error;
    return compileTypeScript(code, AsyncFunction, error as Error);
  }
}

function compileJavaScript(code: string, AsyncFunction: AsyncFunctionOf): Script {
  const script = new Script(before + code + after, {
    filename: fileName,
    columnOffset: -before.length,
    importModuleDynamically: refuseImport,
  });
  // A body that closes the wrapper and opens another would have passed; on its own it does not.
  new AsyncFunction(code);
  return script;
}

const refuseImport = (): never => {
  throw new Error('import() is not available in a script: everything in scope is already there.');
};

function compileTypeScript(code: string, AsyncFunction: AsyncFunctionOf, javaScriptError: Error): Script {
  const plain = syntaxError(code, javaScriptError);
  let stripped: string;
  try {
    stripped = stripTypeScriptTypes(before + code + after).slice(before.length, -after.length);
  } catch (error) {
    throw betterOf(plain, syntaxError(code, error as Error), error as { code?: string });
  }
  try {
    return compileJavaScript(stripped, AsyncFunction);
  } catch (error) {
    throw syntaxError(code, error as Error);
  }
}

/** The parser that got further understood more of the code: a typo in TypeScript is not the first type in it. */
function betterOf(
  plain: ScriptSyntaxError,
  typed: ScriptSyntaxError,
  cause: { code?: string },
): ScriptSyntaxError {
  if (cause.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return typed;
  const further = typed.line - plain.line || (typed.column ?? 0) - (plain.column ?? 0);
  return further > 0 ? typed : plain;
}

function syntaxError(code: string, error: Error): ScriptSyntaxError {
  return new ScriptSyntaxError(error.message, positionOf(code, error.stack ?? ''));
}

/** Both parsers put the line first, then the source with a caret under the place. */
function positionOf(code: string, stack: string): Position {
  const lines = code.split('\n');
  const end = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  const line = Number(/^[^\n]*?:(\d+)\n/.exec(stack)?.[1]);
  if (!line || line > lines.length) return end;
  const caret = /^[^\n]*\n(?:[^\n]*\n)*?(\s*)\^+\s*$/m.exec(stack)?.[1]?.length;
  if (caret === undefined) return { line };
  return { line, column: Math.max(1, caret + 1 - (line === 1 ? before.length : 0)) };
}
