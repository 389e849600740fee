import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles, filesToRelate, readChanged } from './changed-files.mjs';
import { root } from './program.mjs';

test('a file that is run as a program brings along the file that runs it', () => {
  expect(filesToRelate(['packages/cli/src/table.ts', 'packages/cli/src/browserd.ts'])).toEqual([
    'packages/cli/src/table.ts',
    'packages/cli/src/browserd.ts',
    'packages/cli/tests/command-line.ts',
  ]);
  expect(filesToRelate(['packages/sdk/src/api.ts'])).toEqual(['packages/sdk/src/api.ts']);
});

test('every place that is named exists', () => {
  const places = [
    'packages/cli/src/x',
    'packages/dashboard/src/x',
    'packages/mcp/src/x',
    'packages/server/src/programs/x',
    'packages/server/src/runner/child/x',
    'packages/server/src/page/x',
    'examples/x',
    'docs/x',
  ];
  for (const path of filesToRelate(places).filter((each) => !places.includes(each)))
    expect([path, existsSync(join(root, path))]).toEqual([path, true]);
});

test('the base is the last commit, or the one that is given', () => {
  expect(readChanged(['--changed', 'store'])).toEqual({ base: 'HEAD', args: ['store'] });
  expect(readChanged(['--changed=main'])).toEqual({ base: 'main', args: [] });
  expect(readChanged(['store'])).toEqual({ args: ['store'] });
});

test('a base that git does not know is named', () => {
  expect(() => changedFiles('no-such-commit')).toThrow('no-such-commit');
});
