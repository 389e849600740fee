import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { link } from './link.ts';

function run(files: Record<string, string>, entry: string): unknown[] {
  const said: unknown[] = [];
  const context = {
    say: (value: unknown) => said.push(value),
    require: (name: string) => process.getBuiltinModule(name),
  };
  runInNewContext(link(new Map(Object.entries(files)), entry), context);
  return said;
}

test('modules in one script import each other, and each is run once', () => {
  const files = {
    'a/main.js': [
      "import path from 'node:path';",
      "import { join as put, sep } from 'node:path';",
      "import { one, Two, three, count } from '../b/door.js';",
      "import { one as again } from '../b/inner.js';",
      "say([path.join('x', 'y'), put('x', sep), one(), new Two().name, three, count, again === one]);",
    ].join('\n'),
    'b/door.js': "say('door');\nexport {\n  count,\n  one,\n  three,\n  Two,\n} from './inner.js';",
    'b/inner.js':
      "say('inner');\nexport const three = 3;\nexport let count = 0;\ncount++;\nexport function one() { return 1; }\nexport class Two { name = 'two'; }",
  };
  expect(run(files, 'a/main.js')).toEqual(['door', 'inner', ['x/y', 'x/', 1, 'two', 3, 1, true]]);
});

test.each([
  "import * as all from 'node:path';",
  "import 'node:path';",
  'export default 1;',
  "export * from './b.js';",
  'const here = import.meta.url;',
  'await 1;',
])('a form that it does not know is refused: %s', (form) => {
  expect(() => link(new Map([['a.js', form]]), 'a.js')).toThrow('cannot be linked');
});
