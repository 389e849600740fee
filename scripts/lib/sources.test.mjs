/** What holds for the comments of every source in the repository, whatever package, bench or script it belongs to. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './program.mjs';
import { commentsWithoutActor, filesWithoutReason } from './walls.ts';

const programs = ['packages/server/{bench,conformance,frameworks}', 'scripts'];
const places = [...programs, 'packages/*/{src,tests}', 'packages/server/view', 'examples'];

const below = (folders) => ({
  sources: new Map(
    folders
      .flatMap((folder) =>
        globSync(`${folder}/**/*.{ts,tsx,js,mjs}`, { cwd: root, exclude: ['**/node_modules'] }),
      )
      .filter((path) => !path.includes('/generated/'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  ),
});

test('comments name the actor', () => {
  const house = below(places);
  expect([...house.sources.keys()]).toEqual(
    expect.arrayContaining([
      'packages/dashboard/src/main.tsx',
      'packages/server/src/service.ts',
      'scripts/test.mjs',
    ]),
  );
  expect(
    commentsWithoutActor(house),
    'Say who: the caller, the page, Chromium, the runner, the viewer, the operator, a listener, the service',
  ).toEqual([]);
});

test('every bench and every script begins with the reason why it is there', () => {
  const { sources } = below(programs);
  const own = new Map([...sources].filter(([path]) => !/\.test\.\w+$/.test(path)));
  expect([...own.keys()]).toContain('packages/server/bench/start.ts');
  expect(
    filesWithoutReason({ sources: own }),
    'Open the file with a comment, above its imports, that says why it is so',
  ).toEqual([]);
});
