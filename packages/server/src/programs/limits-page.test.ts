import { expect, test } from 'vitest';
import { unplaced } from './limits-page.ts';

test('every setting is a limit of docs/limits.md, or named as none', () => {
  expect(unplaced(), 'Place it in a group of limits-page.ts, or among noLimits').toEqual([]);
});
