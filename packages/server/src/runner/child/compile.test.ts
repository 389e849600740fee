import { describe, expect, test } from 'vitest';
import { type AsyncFunctionOf, compile, ScriptSyntaxError } from './compile.ts';

const AsyncFunction = (async () => undefined).constructor as AsyncFunctionOf;

const run = (code: string): Promise<unknown> => compile(code, AsyncFunction).runInThisContext()();

function mistakeIn(code: string): { message: string; line: number; column: number | undefined } {
  try {
    compile(code, AsyncFunction);
  } catch (error) {
    if (error instanceof ScriptSyntaxError)
      return { message: error.message, line: error.line, column: error.column };
    throw error;
  }
  throw new Error('it compiled');
}

describe('code', () => {
  test.each([
    ['const a = ;', 1, 11],
    ['\n\nlet b = {\n  c: 1,,\n};', 4, 8],
    ['  foo bar', 1, 7],
    ['const x: number = ;', 1, 19],
    ['const x: number = 1;\nconst y: string = `a`;\nreturn x + ;', 3, 12],
    ['await page.click("a"\nreturn 1', 2, 1],
    ['foo(', 1, 5],
    ['return `unfinished', 1, 19],
    ['if (a) {', 1, 9],
  ])('%j has its mistake at line %i, column %i', (code, line, column) => {
    expect(mistakeIn(code)).toMatchObject({ line, column });
  });

  test('that needs more than stripping of types says so', () => {
    expect(mistakeIn('const a = 1;\nenum Color { Red }')).toMatchObject({
      message: expect.stringContaining('enum'),
      line: 2,
    });
  });

  test('cannot close the function it is in', () => {
    expect(mistakeIn('}); globalThis.escaped = 1; (async () => {').message).toBeTruthy();
    expect(mistakeIn('} { ').message).toBeTruthy();
  });

  test('may end in a comment, begin with a directive, and hold types', async () => {
    expect(await run('return 1 // the end')).toBe(1);
    await expect(run('"use strict"; undeclared = 1')).rejects.toThrow('undeclared is not defined');
    expect(await run('const f = <T>(x: T): T => x; return f<number>(2)')).toBe(2);
    expect(await run('')).toBeUndefined();
  });
});
