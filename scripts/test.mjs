import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './lib/checks.mjs';
import { header, program, say } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';
import { countTests } from './lib/test-report.mjs';

/**
 * npm test: all checks, then all tests. npm test -- store: only the test files with "store" in their path.
 * The last line is `N passed, N failed`, for machines.
 */
await program(async (args) => {
  const node = await setUp({ browsers: true });
  const failedChecks = args.length === 0 ? await runChecks(node) : [];

  header('Tests (vitest)');
  const folder = mkdtempSync(join(tmpdir(), 'browserd-test-report-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args]);
  const { passed, failed } = countTests(report, code);
  for (const name of failedChecks) say(`Check failed: ${name}`);
  say(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || failedChecks.length > 0 ? 1 : 0;
});
