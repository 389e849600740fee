import { expect, test } from 'vitest';
import {
  brokenWalls,
  circles,
  commentsWithoutActor,
  filesWithoutReason,
  importsIn,
  withoutRow,
} from './walls.ts';

const house = (imports) => {
  const pairs = imports.map((line) => line.split(' → '));
  const files = [...new Set(pairs.flat())];
  return {
    files,
    sources: new Map(files.map((file) => [file, ''])),
    imports: pairs.map(([from, to]) => ({ from, to, relative: true, typesOnly: false })),
  };
};
const plan = {
  upper: { may: ['lower'], rooms: { left: [], right: ['left'] } },
  lower: { may: [], rooms: { deep: [] } },
  program: { may: ['lower', 'whole'], rooms: { look: { may: [], rooms: { page: [] }, outside: ['lower'] } } },
  whole: ['upper', 'lower'],
  kit: [],
};
const problems = (imports, rules = {}) =>
  brokenWalls(house(imports), { plan, openToAll: ['kit'], ...rules }).length;

test('a neighbour of the row is entered by its door', () => {
  expect(problems(['upper/upper.ts → lower/lower.ts'])).toBe(0);
  expect(problems(['upper/left/left.ts → lower/lower.ts'])).toBe(0);
  expect(problems(['upper/left/left.ts → lower/other.ts'])).toBe(1);
  expect(problems(['lower/lower.ts → upper/upper.ts'])).toBe(1);
});

test('rooms inside a room have walls of their own', () => {
  expect(problems(['upper/right/a.ts → upper/left/left.ts'])).toBe(0);
  expect(problems(['upper/right/a.ts → upper/left/b.ts'])).toBe(1);
  expect(problems(['upper/left/a.ts → upper/right/right.ts'])).toBe(1);
  expect(problems(['upper/left/a.ts → upper/upper.ts'])).toBe(1);
  expect(problems(['upper/upper.ts → upper/left/left.ts'])).toBe(0);
  expect(problems(['upper/upper.ts → upper/left/b.ts'])).toBe(1);
  expect(problems(['upper/left/a.ts → lower/deep/deep.ts'])).toBe(1);
});

test('schemas and tools are open, second doors only for whom they are', () => {
  expect(problems(['upper/left/a.ts → lower/deep/schema.ts'])).toBe(0);
  expect(problems(['upper/left/a.ts → upper/right/dialog-schema.ts'])).toBe(0);
  expect(problems(['lower/a.ts → upper/left/schema.ts'])).toBe(1);
  expect(problems(['lower/a.ts → kit/id.ts'])).toBe(0);
  const secondDoors = { 'lower/side.ts': { for: ['upper/left'] } };
  expect(problems(['upper/left/a.ts → lower/side.ts'], { secondDoors })).toBe(0);
  expect(problems(['upper/right/a.ts → lower/side.ts'], { secondDoors })).toBe(1);
});

test('a second door is open to those it is for, although their row does not name the room', () => {
  const secondDoors = { 'kept/side.ts': { for: ['upper/left'] } };
  expect(problems(['upper/left/a.ts → kept/side.ts'], { secondDoors })).toBe(0);
  expect(problems(['upper/left/a.ts → kept/kept.ts'], { secondDoors })).toBe(1);
  expect(problems(['upper/right/left.ts → kept/side.ts'], { secondDoors })).toBe(1);
});

test('a file at the top has a row like a room', () => {
  expect(problems(['whole.ts → upper/upper.ts'])).toBe(0);
  expect(problems(['whole.ts → kit/kit.ts', 'whole.ts → program/program.ts'])).toBe(1);
  expect(problems(['upper/upper.ts → whole.ts'])).toBe(1);
});

test('a room may be allowed less of the outside than the room around it', () => {
  expect(problems(['program/main.ts → whole.ts'])).toBe(0);
  expect(problems(['program/look/look.ts → lower/lower.ts'])).toBe(0);
  expect(problems(['program/look/look.ts → whole.ts'])).toBe(1);
  expect(problems(['program/look/page/a.ts → whole.ts'])).toBe(1);
});

test('folders and files without a row, and circles, are found', () => {
  expect(withoutRow(house(['upper/left/a.ts → new/deep/b.ts']), plan)).toEqual(['new', 'new/deep']);
  expect(withoutRow(house(['whole.ts → new.ts', 'whole.ts → upper/new.ts']), plan)).toEqual(['new.ts']);
  expect(circles(house(['a.ts → b.ts', 'b.ts → c.ts', 'c.ts → a.ts', 'c.ts → d.ts']))).toEqual([
    'a.ts → b.ts → c.ts → a.ts',
  ]);
});

test('comments that do not name the actor are found, and code with such words is none', () => {
  const source = [
    '/** Somebody calls it. */',
    ' * until whoever asked has gone',
    '  // nobody reads it',
    ' * open to everybody, as no one minds',
    '// before anyone asks',
    "const user = 'nobody'; // the system's own",
    '/** The caller asks. */',
  ].join('\n');
  const found = commentsWithoutActor({ files: ['a.ts'], sources: new Map([['a.ts', source]]), imports: [] });
  expect(found.map(({ comment }) => comment)).toEqual(
    source
      .split('\n')
      .slice(0, 5)
      .map((line) => line.trim()),
  );
});

test('the reason of a file stands above its imports, below the first line of a program', () => {
  const sources = new Map([
    ['a.ts', "/** Why. */\nimport './b.ts';"],
    ['b.ts', "import './a.ts';\n/** Why. */"],
    ['c.ts', "#!/usr/bin/env node\n/** Why. */\nimport './a.ts';"],
    ['d.ts', "#!/usr/bin/env node\nimport './a.ts';"],
  ]);
  expect(filesWithoutReason({ sources })).toEqual(['b.ts', 'd.ts']);
});

test('imports are recognised in every way they can be written', () => {
  const source = [
    "import a, { b } from './a.ts';",
    "import type { T } from './b.ts';",
    "import {\n  type U,\n  type V,\n} from './c.ts';",
    "import { type W, w } from './d.ts';",
    "import './e.ts';",
    "export * from './f.ts';",
    "export type { X } from './g.ts';",
    "const lazy = await import('./h.ts');",
    "import * as i from './i.ts';",
    "export const from = 'nothing';",
    " * import { no } from './comment.ts';",
  ].join('\n');
  expect(importsIn(source).map(({ to, typesOnly }) => `${to}${typesOnly ? ' types' : ''}`)).toEqual([
    './a.ts',
    './b.ts types',
    './c.ts types',
    './d.ts',
    './e.ts',
    './f.ts',
    './g.ts types',
    './i.ts',
    './h.ts',
  ]);
});
