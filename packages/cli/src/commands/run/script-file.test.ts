import { describe, expect, test } from 'vitest';
import { asBody, withFileName } from './script-file.ts';

describe('a script file', () => {
  test('that is a body is sent as it is', () => {
    const body = "await page.goto('https://example.com');\nreturn page.title()";
    expect(asBody(body, 'a.ts')).toBe(body);
    expect(asBody('#!/usr/bin/env browserd\nreturn 1', 'a.ts')).toBe('\nreturn 1');
  });

  test('with a default export becomes a body whose places are those of the file', () => {
    const module = [
      "import type { Scope } from '@browserd/sdk';",
      'export const twice = (n: number) => 2 * n;',
      'export default async ({ args }: Scope<number>) => twice(args);',
      '',
    ];
    const lines = asBody(module.join('\n'), 'a.ts').split('\n');
    expect(lines.slice(0, 3).map((line) => line.length)).toEqual(
      module.slice(0, 3).map((line) => line.length),
    );
    expect(lines[0]?.trim()).toBe('');
    expect(lines[1]).toBe('       const twice = (n: number) => 2 * n;');
    expect(lines[2]).toMatch(/^const \$main = {2}async \(/);
    expect(lines[4]).toMatch(/^return \$main\(\{ page, /);
  });

  test('is run for what it exports, also when that is a named function', async () => {
    const body = asBody('export default async function main({ args }) { return args + 1 }', 'a.js');
    const AsyncFunction = (async () => {}).constructor as new (
      ...parts: string[]
    ) => (...values: unknown[]) => unknown;
    const names = ['page', 'context', 'browser', 'args', 'files', 'sleep'];
    expect(await new AsyncFunction(...names, body)(0, 0, 0, 41)).toBe(42);
  });

  test('that imports is refused with its line, unless it imports types or asks for a module later', () => {
    expect(() => asBody("// first\nimport fs from 'node:fs';", 'a.ts')).toThrow("a.ts:2 imports 'node:fs'");
    expect(() => asBody("import {\n  a,\n} from './a.ts'", 'a.ts')).toThrow('no modules');
    expect(() => asBody("import './a.ts'", 'a.ts')).toThrow('no modules');
    expect(() => asBody("const x = 'import y from z'; return import.meta", 'a.ts')).not.toThrow();
  });
});

test('stacks name the file, and not the line that was added to it', () => {
  const code = asBody('export default () => {\n  throw new Error("x");\n}', 'dir/a.ts');
  const stack = 'Error: x script:1:1\n    at inner (script:2:9)\n    at script:4:8';
  expect(withFileName(stack, { code, name: 'dir/a.ts' })).toBe(
    'Error: x script:1:1\n    at inner (dir/a.ts:2:9)',
  );
  expect(withFileName('E\n    at script:1:1', { code: 'throw 1', name: '--code' })).toBe(
    'E\n    at --code:1:1',
  );
});
