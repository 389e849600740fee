import type { Body } from './api.ts';
import { invalidArgument } from './errors.ts';

/**
 * Browser code, written here and run over there: a function is sent as its source. It sees what it is given and
 * nothing of the file it stands in; what it needs goes along as `args`.
 */
// biome-ignore-start lint/suspicious/noTsIgnore: whether there is an error depends on what the reader has installed
/** @ts-ignore: Playwright's own types where it is installed, anything goes where it is not */
type PlaywrightPage = import('playwright-core').Page;
/** @ts-ignore: as above */
type PlaywrightContext = import('playwright-core').BrowserContext;
/** @ts-ignore: as above */
type PlaywrightBrowser = import('playwright-core').Browser;
// biome-ignore-end lint/suspicious/noTsIgnore: see above

/** What the code has at hand. */
export interface Scope<Args = unknown> {
  page: PlaywrightPage;
  context: PlaywrightContext;
  browser: PlaywrightBrowser;
  args: Args;
  /** Collected into `logs` of the answer. */
  console: Pick<Console, 'log' | 'info' | 'warn' | 'error' | 'debug'>;
  files: {
    /** For `setInputFiles`. */
    path(fileId: string): string;
    /** Makes a file of the browser. */
    write(
      name: string,
      data: string | Uint8Array,
      options?: { mimeType?: string },
    ): Promise<{ id: string; name: string; size: number }>;
  };
  sleep(ms: number): Promise<void>;
}

export type Script<Args, Result> = (scope: Scope<Args>) => Result;

export type ScriptOptions = Omit<Body<'ScriptController_execute'>, 'code' | 'args'>;

/**
 * All on one line before the function, so that line numbers in errors are those of the function. `__name` is what some
 * bundlers write around functions to keep their names.
 */
export function codeOf<Args>(script: string | Script<Args, unknown>): string {
  if (typeof script === 'string') return script;
  const source = Function.prototype.toString.call(script);
  if (/\{\s*\[native code\]\s*\}$/.test(source))
    throw invalidArgument(
      'A bound or built-in function has no source to send: pass a function written in your code.',
    );
  const scope = '{ page, context, browser, args, console, files, sleep }';
  return `const __name = (value) => value; return (${asExpression(source)})(${scope});`;
}

/** Methods of objects and classes (`{ async act({ page }) {} }`) miss the word that makes them an expression. */
function asExpression(source: string): string {
  if (/^(async\s+)?function\b/.test(source)) return source;
  if (/^(async\s*)?(\([\s\S]*?\)|[\w$]+)\s*=>/.test(source)) return source;
  const method = /^(async\s+)?([\w$]+)\s*\(/.exec(source);
  return method ? `${method[1] ?? ''}function ${source.slice(method[1]?.length ?? 0)}` : source;
}
