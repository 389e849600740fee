/**
 * Browser code, written here and run by the service: a function is sent as its source. It sees its parameters and
 * nothing of the file it is written in; what it needs is passed as `args`.
 */
import { invalidArgument } from '../errors.ts';
import type { Body } from '../http/http.ts';

// biome-ignore-start lint/suspicious/noTsIgnore: whether there is an error depends on what is installed
/** @ts-ignore: Playwright's own types where it is installed, `any` where it is not */
type PlaywrightPage = import('playwright-core').Page;
/** @ts-ignore: as above */
type PlaywrightContext = import('playwright-core').BrowserContext;
/** @ts-ignore: as above */
type PlaywrightBrowser = import('playwright-core').Browser;
// biome-ignore-end lint/suspicious/noTsIgnore: see above

/** The parameters of browser code. */
export interface Scope<Args = unknown> {
  page: PlaywrightPage;
  context: PlaywrightContext;
  browser: PlaywrightBrowser;
  args: Args;
  /** Collected into `logs` of the answer. */
  console: Pick<Console, 'log' | 'info' | 'warn' | 'error' | 'debug'>;
  files: {
    /** For `setInputFiles`. */
    path(fileId: string): Promise<string>;
    /** Stores a file of the browser. */
    write(
      name: string,
      data: string | Uint8Array,
      options?: { mimeType?: string },
    ): Promise<{ id: string; name: string; size: number }>;
  };
  secrets: {
    /** The service types the secret; its value never comes here. */
    fill(
      field: ReturnType<PlaywrightPage['locator']>,
      secret: string | SecretCode,
      options?: { timeout?: number },
    ): Promise<{ origin: string }>;
    /** Stands for the code of the moment, for `fill`. */
    code(name: string): SecretCode;
  };
  sleep(ms: number): Promise<void>;
}

export interface SecretCode {
  readonly name: string;
}

export type Script<Args, Result> = (scope: Scope<Args>) => Result;

export type ScriptOptions = Omit<Body<'ScriptController_execute'>, 'code' | 'args'>;

/**
 * Everything before the function is on its first line, so that line numbers in errors are those of the function. Some
 * bundlers wrap functions in `__name` to keep their names.
 */
export function codeOf<Args>(script: string | Script<Args, unknown>): string {
  if (typeof script === 'string') return script;
  if (typeof script !== 'function')
    throw invalidArgument('Browser code is a function, or its body as a string.');
  const source = Function.prototype.toString.call(script);
  // An older service has no secrets; code that uses none runs there as ever.
  const scope = '{ page, context, browser, args, console, files, secrets: globalThis.secrets, sleep }';
  return `const __name = (value) => value; return (${asExpression(source)})(${scope});`;
}

/** Arrows and functions are expressions as they are; a method needs an object around it. The first words tell which. */
function asExpression(source: string): string {
  if (/\{\s*\[native code\]\s*\}$/.test(source))
    throw cannotSend('A bound or built-in function has no source to send');
  const words = firstWords(source);
  if (words[0] === '(' || words[1] === '=>' || (words[0] === 'async' && words[1] === '(')) return source;
  if (words[0] === 'async') words.shift();
  const [first = '', second] = words;
  if (second === '=>') return source;
  if (first === '*' || (first === 'function' && second === '*'))
    throw cannotSend('A generator has no single result');
  if (first === 'function') return source;
  if (['class', 'get', 'set'].includes(first) && second !== '(')
    throw cannotSend('A class, getter or setter is not browser code');
  if (first === '[' || first === '#')
    throw cannotSend('A method with a computed or private name cannot stand alone');
  return `Object.values({ ${source} })[0]`;
}

const firstWords = (source: string): string[] => {
  const words = /(?:\s|\/\*[\s\S]*?\*\/|\/\/.*\n)*([\p{ID_Continue}$]+|=>|\S)/uy;
  return Array.from({ length: 3 }, () => words.exec(source)?.[1] ?? '');
};

const cannotSend = (why: string): Error =>
  invalidArgument(`${why}: pass a function or an arrow written in your code, or its body as a string.`);
