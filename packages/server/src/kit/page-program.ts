/**
 * Programs that run inside pages. Their source is TypeScript in folders named `inside`, which are checked with the types
 * of the DOM; a page gets it as one expression:
 *
 *   inside/x.ts ──types off──> a function that gives what the file exports, after those of the files it imports
 *
 * In the world where it runs a program stays under a symbol of its own, made once for each document. A name would not
 * do: elements with that id would hide it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ending, withoutTypes } from './own-source.ts';

/** The source of an expression, and the type of its value or of what its promise gives. */
export type Expression<T> = string & { readonly value?: T };

type Functions<Program> = { [Name in keyof Program]: (...given: never[]) => unknown };
type Given<Function> = Function extends (...given: infer All) => unknown ? All : never;
type Answer<Function> = Function extends (...given: never[]) => infer Value ? Awaited<Value> : never;

export interface PageProgram<Program extends Functions<Program>> {
  /** Calls a function of the program, which comes along in case the document does not have it yet. */
  call<Name extends keyof Program & string>(
    name: Name,
    ...given: Given<Program[Name]>
  ): Expression<Answer<Program[Name]>>;
  /** The same without bringing the program: undefined where the document does not have it. */
  callLoaded<Name extends keyof Program & string>(
    name: Name,
    ...given: Given<Program[Name]>
  ): Expression<Answer<Program[Name]> | undefined>;
  /** Brings the program. */
  load(): Expression<undefined>;
  /** The declaration of a function that calls one of the program's with its `this` and what it is given. */
  method(name: keyof Program & string): string;
  /** The same without bringing the program: it does nothing where the document does not have it. */
  methodLoaded(name: keyof Program & string): string;
  /** The declaration of a function that calls one of the program's with what it is given, and leaves nothing behind. */
  declaration(name: keyof Program & string): string;
}

/** `file` is its entry, without ending. `libraries` are statements that the files may build on. */
export function pageProgram<Program extends Functions<Program>>(
  file: string,
  libraries: () => string[] = () => [],
): PageProgram<Program> {
  let built: string | undefined;
  const source = (): string => (built ??= build(`${file}${ending}`, libraries()));
  const place = `globalThis[Symbol.for(${JSON.stringify(`browserd ${nameOf(file)}`)})]`;
  const loaded = (): string => `(${place} ??= ${source()})`;
  return {
    call: (name, ...given) => `${loaded()}.${name}(${list(given)})`,
    callLoaded: (name, ...given) => `${place}?.${name}(${list(given)})`,
    load: () => `void ${loaded()}`,
    method: (name) => `function (...given) { return ${loaded()}.${name}(this, ...given); }`,
    methodLoaded: (name) => `function (...given) { return ${place}?.${name}(this, ...given); }`,
    declaration: (name) => `function (...given) { return ${source()}.${name}(...given); }`,
  };
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/inside/') + 1);
const list = (given: unknown[]): string =>
  given.map((each) => JSON.stringify(each) ?? 'undefined').join(', ');

const importLine = /^import ([^;]*?) from '(\.{1,2}\/[^']+)';\n/gm;
const exportLine = /^export (?=(?:async )?(?:const|function|class) (\w+))/gm;
const typesAlone = /^\{\s*\}$/;

function build(file: string, libraries: string[]): string {
  const parts = new Map<string, string>();
  collect(file, parts);
  const all = [...libraries, 'const files = [];', ...parts.values()].map(compacted).join('\n');
  return `(() => { 'use strict';\n${all}\nreturn files[${parts.size - 1}]; })()`;
}

const wholeLines = /^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)[ \t]*$/gm;
const indents = /^\s+|[ \t]+$/gm;
/** An odd number of back quotes in a line: a text that goes on in the next one, where blanks count. */
const textOverLines = /^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$/m;

/**
 * Without the lines that are comments, and without indentation: a page is sent the program anew in every document, and
 * Chromium takes longer to pass it on than to run it. A test shows that each program stays the same.
 */
export const compacted = (source: string): string =>
  textOverLines.test(source) ? source : source.replace(wholeLines, '').replace(indents, '');

/** Puts the file into the parts, after the files that it imports. */
function collect(file: string, parts: Map<string, string>): void {
  if (parts.has(file)) return;
  const source = withoutTypes(readFileSync(file, 'utf8'));
  const imported = (path: string): string => join(dirname(file), path);
  for (const [, names = '', path = ''] of source.matchAll(importLine))
    if (!typesAlone.test(names)) collect(imported(path), parts);
  const exported = [...source.matchAll(exportLine)].map(([, name]) => name);
  const place = (path: string): number => [...parts.keys()].indexOf(imported(path));
  const body = source
    .replace(importLine, (_, names: string, path: string) =>
      typesAlone.test(names) ? '' : `const ${names} = files[${place(path)}];\n`,
    )
    .replace(exportLine, '');
  parts.set(file, `files[${parts.size}] = (() => {\n${body}\nreturn { ${exported.join(', ')} }; })();`);
}
