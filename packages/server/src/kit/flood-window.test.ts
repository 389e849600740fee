import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FloodWindow } from './flood-window.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('admits so many within a window, and as many again in the next', () => {
  const window = new FloodWindow(2, 1000);
  const four = () => [1, 2, 3, 4].map(() => window.admits());
  expect(four()).toEqual([true, true, false, false]);
  vi.advanceTimersByTime(1000);
  expect(window.admits()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(four()).toEqual([true, true, false, false]);
});

test('counts what it did not admit until it is asked', () => {
  const window = new FloodWindow(1, 1000);
  expect(window.takeSuppressed()).toBe(0);
  for (let n = 0; n < 4; n++) window.admits();
  vi.advanceTimersByTime(1001);
  expect(window.admits()).toBe(true);
  expect(window.takeSuppressed()).toBe(3);
  expect(window.takeSuppressed()).toBe(0);
});
