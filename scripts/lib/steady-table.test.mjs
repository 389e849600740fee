import { expect, test } from 'vitest';
import { steadyTable } from './steady-table.mjs';

test('each run is a line, and what failed in it is named below', () => {
  const runs = [
    { load: false, passed: 2576, failed: 0, minutes: 5.82, failures: [] },
    { load: true, passed: 2575, failed: 1, minutes: 9.1, failures: ['a.test.ts: a page is read'] },
  ];
  expect(steadyTable(runs, 2).split('\n')).toEqual([
    'run load          passed  failed  minutes',
    '1   quiet         2576    0       5.8',
    '2   2 busy loops  2575    1       9.1',
    '      a.test.ts: a page is read',
  ]);
});
