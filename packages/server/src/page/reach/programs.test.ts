import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { withoutTypes } from '../../kit/own-source.ts';
import { compacted } from '../../kit/page-program.ts';

const require = createRequire(import.meta.url);

const readers = [
  '@mozilla/readability/Readability.js',
  'turndown/dist/turndown.js',
  '@joplin/turndown-plugin-gfm',
];

/** What the source means, whatever it looks like. */
function meaning(source: string): string {
  const { program, errors } = parseSync('program.js', source);
  expect(errors).toEqual([]);
  return JSON.stringify(program, (key, value) =>
    key === 'start' || key === 'end' ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
}

test('every program means the same without its comments and indentation, and is shorter', async () => {
  const folders = join(import.meta.dirname, '../../*/**/inside/**/*.ts');
  const own = (await Array.fromAsync(glob(folders))).filter((file) => !/\.(?:test|d)\.ts$/.test(file));
  expect(own.length).toBeGreaterThan(40);
  const libraries = readers.map((file) => require.resolve(file));
  const sources = [...own, ...libraries].map((file) => withoutTypes(readFileSync(file, 'utf8')));
  const changed = sources.filter((source) => meaning(compacted(source)) !== meaning(source));
  expect(changed.map((source) => source.slice(0, 200))).toEqual([]);
  const length = (texts: string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  expect(length(sources.map(compacted))).toBeLessThan(length(sources) * 0.75);
});
