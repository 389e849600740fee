import { expect, test } from 'vitest';
import { pauseBetween } from './sweeper.ts';

const hour = 3_600_000;

test.each([
  [168 * hour, 24 * hour, 24 * hour, 600_000],
  [60_000, 24 * hour, 24 * hour, 30_000],
  [168 * hour, 10_000, 24 * hour, 5000],
  [168 * hour, 24 * hour, 8000, 4000],
  [0, 0, 0, 1000],
])(
  'with a retention of %i ms, %i ms for keys and %i ms for answers, the sweeper looks every %i ms',
  (retention, idempotencyRetention, answerCacheTime, pause) => {
    expect(pauseBetween({ retention, idempotencyRetention, answerCacheTime })).toBe(pause);
  },
);
