/**
 * What `npm test -- --changed` gives to `vitest related`: the changed files, and for each that no test imports, because
 * it is run as a program, read as text or built first, the file that does so and that tests do import.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, root } from './program.mjs';

const usedWithoutImport = [
  ['packages/cli/src/', 'packages/cli/tests/command-line.ts'],
  ['packages/dashboard/src/', 'packages/dashboard/tests/dashboard-client.ts'],
  ['packages/mcp/src/', 'packages/mcp/tests/clients.ts'],
  ['packages/server/src/programs/', 'packages/server/tests/support/server.ts'],
  ['packages/server/src/runner/child/', 'packages/server/src/runner/toolbox/toolbox.ts'],
  ['packages/server/src/runner/wire/', 'packages/server/src/runner/toolbox/toolbox.ts'],
  ['packages/server/src/runner/toolbox/', 'packages/server/src/runner/toolbox/toolbox.ts'],
  ['packages/server/src/page/', 'packages/server/src/page/page.ts'],
  ['examples/', 'packages/sdk/tests/examples.spec.ts'],
  ['docs/', 'scripts/lib/docs.test.mjs'],
  ['docs/', 'packages/cli/tests/documents.spec.ts'],
  ['README.md', 'scripts/lib/docs.test.mjs'],
  ['README.md', 'packages/cli/tests/documents.spec.ts'],
];

export function filesToRelate(changed) {
  const behind = changed.flatMap((path) =>
    usedWithoutImport.filter(([under]) => path.startsWith(under)).map(([, user]) => user),
  );
  return [...new Set([...changed, ...behind])];
}

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Problem(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.split('\n').filter(Boolean);
};

/** Since `base`, committed or not, and new files that git does not know yet. A deleted file has no importer to run. */
export function changedFiles(base = 'HEAD') {
  const known = git('diff', '--name-only', base, '--');
  const unknown = git('ls-files', '--others', '--exclude-standard');
  return [...new Set([...known, ...unknown])].filter((path) => existsSync(join(root, path)));
}

/** `--changed` or `--changed=base` among the arguments: which base, and the arguments without it. */
export function readChanged(args) {
  const wanted = args.find((each) => each === '--changed' || each.startsWith('--changed='));
  if (wanted === undefined) return { args };
  return { base: wanted.split('=')[1] ?? 'HEAD', args: args.filter((each) => each !== wanted) };
}
