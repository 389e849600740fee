import { readFileSync } from 'node:fs';

/**
 * Counts from the JSON report of vitest. A test file that could not even be loaded has no tests to count, and an error
 * outside of all tests belongs to none: each of these is one failure, so that "0 failed" is never printed for a bad
 * run.
 */
export function countTests(file, exitCode) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = tests.filter(({ status }) => status === 'failed').length + brokenFiles.length;
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) };
}
