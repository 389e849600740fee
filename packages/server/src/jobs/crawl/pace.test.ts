import { expect, test } from 'vitest';
import { Pace, retryAfterMs } from './pace.ts';

test('pages of one host keep their distance, those of others do not wait', () => {
  let now = 1000;
  const pace = new Pace(() => now);
  expect(pace.take('p', 'a.test', 500)).toBe(0);
  expect(pace.take('p', 'a.test', 500)).toBe(500);
  expect(pace.take('p', 'b.test', 500)).toBe(0);
  expect(pace.take('q', 'a.test', 500)).toBe(0);
  now += 500;
  expect(pace.take('p', 'a.test', 500)).toBe(0);
  expect(pace.take('p', 'a.test', 500)).toBe(500);
});

test('a host that asks for a rest gets it, and no more than ten minutes', () => {
  let now = 1000;
  const pace = new Pace(() => now);
  pace.rest('p', 'a.test', 3000);
  pace.rest('p', 'a.test', undefined);
  expect(pace.take('p', 'a.test', 0)).toBe(5000);
  pace.rest('p', 'a.test', 86_400_000);
  expect(pace.take('p', 'a.test', 0)).toBe(600_000);
  now += 600_000;
  expect(pace.take('p', 'a.test', 0)).toBe(0);
});

test('a rest is told in seconds or as a date', () => {
  expect(retryAfterMs('120')).toBe(120_000);
  expect(retryAfterMs('Wed, 21 Oct 2026 07:28:00 GMT', Date.parse('2026-10-21T07:27:30Z'))).toBe(30_000);
  expect(retryAfterMs('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
  expect(retryAfterMs('later')).toBeUndefined();
  expect(retryAfterMs(undefined)).toBeUndefined();
});
