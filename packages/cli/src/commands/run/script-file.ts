/**
 * A script is the body of a function, with `return`, or a module with a default export:
 *
 *   export default async ({ page, args }) => …
 *
 * The service runs bodies only, so a module is turned into one. Lines and columns do not change, so that positions in error
 * messages are those of the file.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readStdin } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';

export interface ScriptFile {
  code: string;
  /** The name in error messages. */
  name: string;
}

export async function readScript(file: string | undefined, code: string | undefined): Promise<ScriptFile> {
  if ((file === undefined) === (code === undefined))
    throw wrongUsage('Name a file with the code, - for stdin, or give it with --code.');
  if (code !== undefined) return { code: asBody(code, '--code'), name: '--code' };
  if (file === '-') return { code: asBody(await readStdin(), 'stdin'), name: 'stdin' };
  const source = await readFile(file ?? '', 'utf8').catch((error: Error) => {
    throw wrongUsage(`The script cannot be read: ${error.message}`);
  });
  return { code: asBody(source, basename(file ?? '')), name: file ?? '' };
}

const defaultExport = /^export[ \t]+default\b/m;
const call = 'return $main({ page, context, browser, args, console, files, sleep });';
/** Type imports are erased; blanks keep the positions of what follows. */
const typeImport = /^import[ \t]+type\b[^;'"]*(['"])[^'"\n]*\1[ \t]*;?/gm;
const anyImport = /^import\b(?!\s*[.(])[^;'"]*(['"])([^'"\n]*)\1/m;

export function asBody(source: string, name: string): string {
  const code = source
    .replace(/^\ufeff/, '')
    .replace(/^#!.*/, '')
    .replace(typeImport, (found) => found.replace(/[^\n]/g, ' '));
  const found = anyImport.exec(code);
  if (found) {
    const line = code.slice(0, found.index).split('\n').length;
    throw wrongUsage(
      `${name}:${line} imports '${found[2]}'. The code runs in a box beside the browser, where there are no modules: ` +
        'write what it needs into the file, or give it data with --args. `import type` is fine.',
    );
  }
  if (!defaultExport.test(code)) return code;
  const body = code
    .replace(defaultExport, (words) => 'const $main ='.padEnd(words.length))
    .replace(/^export(?=[ \t]+(const|let|var|function|async|class|type|interface)\b)/gm, '      ');
  return `${body}\n${call}`;
}

/** The service calls all code `script`, and its stack has one frame more: the call that was added here. */
export const withFileName = (stack: string, { name, code }: ScriptFile): string =>
  stack
    .replace(/^(\s+at (?:.*\()?)script(?=:\d+)/gm, (_, before: string) => before + name)
    .split('\n')
    .filter((frame) => !(code.endsWith(call) && frame.endsWith(`at ${name}:${lastLine(code)}:${callColumn}`)))
    .join('\n');

const lastLine = (code: string): number => code.split('\n').length;
const callColumn = call.indexOf('$main') + 1;
