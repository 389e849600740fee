import { describe, expect, test } from 'vitest';
import { readIfMatch } from './if-match.ts';

describe('If-Match', () => {
  test.each([
    ['"3"', 3],
    ['3', 3],
    [' "12" ', 12],
    ['*', undefined],
    [undefined, undefined],
  ])('%s is the epoch %s', (header, epoch) => {
    expect(readIfMatch(header)).toBe(epoch);
  });

  test.each(['', 'W/"3"', '"3", "4"', 'abc', '-1', '"1e3"'])('%s is no epoch', (header) => {
    expect(() => readIfMatch(header)).toThrow(/If-Match/);
  });
});
