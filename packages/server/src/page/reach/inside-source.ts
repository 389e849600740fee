/**
 * What runs inside a page's isolated world, as one script: the files of `inside/` in the order they need each other,
 * and the libraries they use. What a page contains is read there, in Chromium's sandbox, and never parsed by the service.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ending, withoutTypes } from '../../kit/own-source.ts';

const folder = join(import.meta.dirname, '../inside');
const require = createRequire(import.meta.url);

const libraries = {
  Readability: ['@mozilla/readability/Readability.js', 'module.exports'],
  TurndownService: ['turndown/dist/turndown.js', 'TurndownService'],
  gfm: ['@joplin/turndown-plugin-gfm', 'module.exports'],
} as const;

const library = ([name, [file, value]]: [string, readonly [string, string]]): string => {
  const source = readFileSync(require.resolve(file), 'utf8');
  return `const ${name} = (() => { const module = { exports: {} }; const exports = module.exports;\n${source}\nreturn ${value}; })();`;
};

const importLine = /^import ([^;]*?) from '\.\/([^']+)';\n/gm;
const exportLine = /^export (?=(?:async )?(?:const|function|class) (\w+))/gm;

/** Each file becomes a function that gives what it exports, after those it imports. */
function collect(file: string, parts: Map<string, string>): void {
  if (parts.has(file)) return;
  const source = withoutTypes(readFileSync(join(folder, file), 'utf8'));
  for (const [, , imported = ''] of source.matchAll(importLine)) collect(imported, parts);
  const exported = [...source.matchAll(exportLine)].map(([, name]) => name);
  const body = source.replace(importLine, "const $1 = files['$2'];\n").replace(exportLine, '');
  parts.set(file, `files['${file}'] = (() => {\n${body}\nreturn { ${exported.join(', ')} }; })();`);
}

function build(file: string, used: string[]): string {
  const parts = new Map<string, string>();
  collect(file, parts);
  const all = [...used, 'const files = {};', ...parts.values()].join('\n');
  return `(() => { 'use strict';\n${all}\nreturn files['${file}']; })()`;
}

/** A module, made a part of a script: it gives what it exports to `pdfjsLib` besides. */
function pdfjs(): string {
  const source = readFileSync(fileURLToPath(import.meta.resolve('unpdf/pdfjs')), 'utf8');
  const script = source.replace(/export\s*\{[^{}]*\};?\s*$/, '').replaceAll('import.meta.url', "''");
  return `const pdfjs = (() => {\n${script}\nreturn globalThis.pdfjsLib; })();`;
}

const built = new Map<string, string>();

/** An expression whose value is the tools of a file, made once for each document. */
function tools(name: string, file: string, used: () => string[]): string {
  const source = built.get(name) ?? build(file, used());
  built.set(name, source);
  return `(globalThis.${name} ??= ${source})`;
}

export const insideTools = (): string =>
  tools('scraping', `scrape${ending}`, () => Object.entries(libraries).map(library));

/** The reader of PDFs is far larger than all the rest, so it goes only where there is one. */
export const pdfTools = (): string => tools('pdfReading', `pdf${ending}`, () => [pdfjs()]);
