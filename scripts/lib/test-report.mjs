/**
 * Counts from the JSON report of vitest. A test file that could not even be loaded has no tests to count, and an error
 * outside of all tests belongs to none: each of these is one failure, so that "0 failed" is never printed for a bad
 * run.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

export function readReport(file, exitCode, root = process.cwd()) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, failures: ['the run itself: it left no report'], slowest: [] };
  }
  const pathOf = ({ name = '' }) => relative(root, name);
  const failures = report.testResults.flatMap((each) => {
    const tests = each.assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length > 0) return tests.map(({ fullName }) => `${pathOf(each)}: ${fullName}`);
    return each.status === 'failed' ? [`${pathOf(each)}: the file itself`] : [];
  });
  if (exitCode !== 0 && failures.length === 0) failures.push('an error outside of all tests');
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const slowest = report.testResults
    .map((each) => ({ path: pathOf(each), seconds: (each.endTime - each.startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10);
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failures.length,
    failures,
    slowest,
  };
}
