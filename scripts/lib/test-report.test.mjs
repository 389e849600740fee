import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countTests } from './test-report.mjs';

const folder = mkdtempSync(join(tmpdir(), 'browserd-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (status, ...tests) => ({ status, assertionResults: tests.map((each) => ({ status: each })) });
const count = (testResults, exitCode) => {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify({ testResults }));
  return countTests(path, exitCode);
};

test('tests are counted over all files, skipped ones in neither number', () => {
  const files = [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')];
  expect(count(files, 1)).toEqual({ passed: 3, failed: 1 });
});

test('a file that cannot be loaded is a failure, though it has no tests', () => {
  expect(count([file('failed'), file('passed', 'passed')], 1)).toEqual({ passed: 1, failed: 1 });
});

test('an error outside of all tests is never told as “0 failed”', () => {
  expect(count([file('passed', 'passed')], 1)).toEqual({ passed: 1, failed: 1 });
  expect(countTests(join(folder, 'missing.json'), 1)).toEqual({ passed: 0, failed: 1 });
});
