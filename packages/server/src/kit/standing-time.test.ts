import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StandingTime } from './standing-time.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

test('it may stand as long as is left, and not again before it has worked for a while', () => {
  const time = new StandingTime({ mostMs: 200, leastMs: 20 });
  expect(time.begin()).toBe(200);
  vi.advanceTimersByTime(150);
  time.end();
  expect(time.begin()).toBe(50);
  vi.advanceTimersByTime(90);
  time.end();
  expect(time.begin()).toBe(0);
  expect(time.restMs).toBe(20);
  vi.advanceTimersByTime(20);
  expect(time.begin()).toBe(20);
});

test('in the long run it works for half of the time, and a rest gives back no more than there was', () => {
  const time = new StandingTime({ mostMs: 200, leastMs: 20 });
  let stoodMs = 0;
  for (let at = 0; at < 20_000; at += 10) {
    if (!time.stands) time.begin();
    else if (time.restMs === 20) time.end();
    if (time.stands) stoodMs += 10;
    vi.advanceTimersByTime(10);
  }
  expect(stoodMs).toBeLessThan(11_000);
  expect(stoodMs).toBeGreaterThan(9000);
  time.end();
  vi.advanceTimersByTime(60_000);
  expect(time.begin()).toBe(200);
});
