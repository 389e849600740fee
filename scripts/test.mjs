/**
 * npm test: all checks, then all tests. npm test -- store: only the test files with "store" in their path.
 * npm test -- --changed: only the test files that what changed since the last commit can touch (--changed=main: since main).
 * The last line is `N passed, N failed`, for machines; BROWSERD_TEST_REPORT names a file that the report of vitest is kept in.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFiles, filesToRelate, readChanged } from './lib/changed-files.mjs';
import { runChecks } from './lib/checks.mjs';
import { header, program, root, say } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';
import { readReport } from './lib/test-report.mjs';

await program(async (all) => {
  const { base, args } = readChanged(all);
  const related = base === undefined ? undefined : filesToRelate(changedFiles(base));
  const node = await setUp({ browsers: true });
  const failedChecks = all.length === 0 ? await runChecks(node) : [];

  header('Tests (vitest)');
  const folder = mkdtempSync(join(tmpdir(), 'browserd-test-report-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const command = related ? ['related', '--run', '--passWithNoTests', ...related] : ['run'];
  const code = await run(node, ['node_modules/vitest/vitest.mjs', ...command, ...reporters, ...args]);
  const { passed, failed, slowest } = readReport(file, code, root);
  if (process.env.BROWSERD_TEST_REPORT) copyFileSync(file, process.env.BROWSERD_TEST_REPORT);
  if (slowest.length > 1) {
    header('Slowest files');
    for (const { path, seconds } of slowest) say(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
  }
  for (const name of failedChecks) say(`Check failed: ${name}`);
  say(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || failedChecks.length > 0 ? 1 : 0;
});
