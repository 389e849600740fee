import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readReport } from './test-report.mjs';

const folder = mkdtempSync(join(tmpdir(), 'browserd-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (status, ...tests) => ({
  name: '/house/a.test.ts',
  startTime: 0,
  endTime: 0,
  status,
  assertionResults: tests.map((each) => ({ status: each, fullName: `it has ${each}` })),
});
const read = (testResults, exitCode) => {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify({ testResults }));
  return readReport(path, exitCode, '/house');
};

test('tests are counted over all files, skipped ones in neither number', () => {
  const files = [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')];
  expect(read(files, 1)).toMatchObject({ passed: 3, failed: 1, failures: ['a.test.ts: it has failed'] });
});

test('a file that cannot be loaded is a failure, though it has no tests', () => {
  expect(read([file('failed'), file('passed', 'passed')], 1)).toMatchObject({
    passed: 1,
    failed: 1,
    failures: ['a.test.ts: the file itself'],
  });
});

test('an error outside of all tests is never told as “0 failed”', () => {
  expect(read([file('passed', 'passed')], 1)).toMatchObject({ passed: 1, failed: 1 });
  expect(readReport(join(folder, 'missing.json'), 1)).toMatchObject({ passed: 0, failed: 1 });
});

test('the ten slowest files are named, the slowest first', () => {
  const files = Array.from({ length: 12 }, (_, at) => ({
    ...file('passed', 'passed'),
    name: `/house/${at}.test.ts`,
    endTime: at * 1000,
  }));
  const { slowest } = read(files, 0);
  expect(slowest).toHaveLength(10);
  expect(slowest[0]).toEqual({ path: '11.test.ts', seconds: 11 });
});
