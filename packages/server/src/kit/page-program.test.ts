import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { type PageProgram, pageProgram } from './page-program.ts';

interface Program {
  sum(...numbers: number[]): number;
  count(): number;
  nameOf(thing: { name?: string } | undefined, last: string): string;
}

const files = {
  'inside/entry.ts': `/** Why. */
import type { Only } from './words.ts';
import { type Named, add } from './deep/add.ts';
import { separator } from './words.ts';

let calls = 0;
export const sum = (...numbers: number[]): number => numbers.reduce(add, 0);
export function count(): number { return ++calls; }
export const nameOf = (thing: Named | Only | undefined, last: string): string =>
  [thing?.name ?? library, last].join(separator);
`,
  'inside/words.ts': `/** Why. */
export interface Only { name?: string }
export const separator = '-';
`,
  'inside/deep/add.ts': `/** Why. */
import { separator } from '../words.ts';
export interface Named { name?: string }
export const add = (a: number, b: number): number => (separator === '-' ? a + b : Number.NaN);
`,
};

const folder = mkdtempSync(join(tmpdir(), 'browserd-program-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(): PageProgram<Program> {
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), source);
  }
  return pageProgram<Program>(join(folder, 'inside/entry'), () => ["const library = 'nameless';"]);
}

/** A document without a page: one global object, to which elements lend their names. */
const newDocument = (named: Record<string, unknown> = {}) => {
  const context = vm.createContext(named);
  return (expression: string): unknown => vm.runInContext(expression, context);
};

test('a program is its files in the order they need each other, types gone, with its libraries', () => {
  const run = newDocument();
  const program = write();
  expect(run(program.call('sum', 1, 2, 3))).toBe(6);
  expect(run(program.call('nameOf', { name: '"quoted"\u2028' }, 'x'))).toBe('"quoted"\u2028-x');
  expect(run(program.call('nameOf', undefined, 'x'))).toBe('nameless-x');
});

test('its source is read once, and it is made once for each document', () => {
  const program = write();
  const run = newDocument();
  expect(run(program.callLoaded('count'))).toBeUndefined();
  expect(run(program.load())).toBeUndefined();
  rmSync(folder, { recursive: true });
  expect([run(program.call('count')), run(program.callLoaded('count')), run(program.call('count'))]).toEqual([
    1, 2, 3,
  ]);
  expect(newDocument()(program.call('count'))).toBe(1);
});

test('elements with the name of a program do not hide it', () => {
  const program = write();
  const run = newDocument({
    entry: 'an element',
    'inside/entry': 'another',
    'browserd inside/entry': 'a third',
  });
  expect(run(program.call('count'))).toBe(1);
});

test('where a document does not have it, a call that brings nothing does nothing', () => {
  const program = write();
  const run = newDocument();
  const called = () => run(`(${program.methodLoaded('nameOf')}).call({ name: 'this' }, 'last')`);
  expect(called()).toBeUndefined();
  run(program.load());
  expect(called()).toBe('this-last');
});

test('as a function it takes its `this` along, or leaves nothing behind', () => {
  const program = write();
  const run = newDocument();
  const called = (declaration: string, given: string) =>
    run(`(${declaration}).call({ name: 'this' }, ${given})`);
  expect(called(program.method('nameOf'), "'last'")).toBe('this-last');
  const clean = newDocument();
  expect(clean(`(${program.declaration('sum')})(1, 2)`)).toBe(3);
  expect(clean('Reflect.ownKeys(globalThis).filter((key) => typeof key === "symbol").length')).toBe(
    newDocument()('Reflect.ownKeys(globalThis).filter((key) => typeof key === "symbol").length'),
  );
});
