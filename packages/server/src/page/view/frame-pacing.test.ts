import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FramePacing } from './frame-pacing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function paced(isWanted = () => true) {
  const acks: { castId: number; at: number }[] = [];
  let restarts = 0;
  vi.advanceTimersByTime(1000);
  const began = performance.now();
  const pacing = new FramePacing({
    shortestMs: 33,
    isWanted,
    ack: (castId) => acks.push({ castId, at: Math.round(performance.now() - began) }),
    restart: () => restarts++,
  });
  return { pacing, acks, restarts: () => restarts };
}

test('the first frame after a pause is acknowledged at once, the next ones at the pace, each exactly once', () => {
  const { pacing, acks } = paced();
  for (let frame = 0; frame < 3; frame++) pacing.came(1);
  vi.advanceTimersByTime(200);
  expect(acks.map(({ at }) => at)).toEqual([0, 33, 66]);
});

test('a page that moves all the time keeps the pace however long a frame takes to come', () => {
  const { pacing, acks } = paced();
  for (let frame = 0; frame < 3; frame++) pacing.came(1);
  let answered = acks.length;
  // Chromium: one more frame 45 ms after each acknowledgement
  for (let ms = 0; ms < 3000; ms++) {
    vi.advanceTimersByTime(1);
    for (; answered < acks.length; answered++) setTimeout(() => pacing.came(1), 45);
  }
  expect(acks.length).toBeGreaterThanOrEqual(3000 / 34);
  expect(acks.length).toBeLessThanOrEqual(3000 / 33 + 2);
});

test('nothing is acknowledged while no viewer can take more', () => {
  let wanted = false;
  const { pacing, acks } = paced(() => wanted);
  pacing.came(1);
  vi.advanceTimersByTime(500);
  expect(acks).toEqual([]);
  wanted = true;
  pacing.goOn();
  expect(acks).toHaveLength(1);
});

test('where Chromium may have dropped the last frame the screencast is begun anew, once', () => {
  let wanted = false;
  const { pacing, acks, restarts } = paced(() => wanted);
  for (let frame = 0; frame < 3; frame++) pacing.came(1);
  wanted = true;
  pacing.goOn();
  vi.advanceTimersByTime(100);
  expect(restarts()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(restarts()).toBe(1);
  pacing.came(2);
  vi.advanceTimersByTime(1000);
  expect(restarts()).toBe(1);
  expect(acks.map(({ castId }) => castId)).toEqual([1, 1, 1, 2]);
});

test('frames that came one after the other may have been more, on a machine that is slow to hand them over', () => {
  const { pacing, restarts } = paced();
  for (let frame = 0; frame < 3; frame++) {
    pacing.came(1);
    vi.advanceTimersByTime(40);
  }
  vi.advanceTimersByTime(90);
  expect(restarts()).toBe(1);
  // the answer to it, however many frames it is
  for (let frame = 0; frame < 2; frame++) {
    pacing.came(2);
    vi.advanceTimersByTime(16);
  }
  vi.advanceTimersByTime(1000);
  expect(restarts()).toBe(1);
});

test('a caret that blinks costs one frame each time', () => {
  const { pacing, acks, restarts } = paced();
  for (let blink = 0; blink < 10; blink++) {
    pacing.came(1);
    vi.advanceTimersByTime(500);
  }
  expect([acks.length, restarts()]).toEqual([10, 0]);
});

test('after the end nothing happens any more', () => {
  const { pacing, acks, restarts } = paced();
  for (let frame = 0; frame < 3; frame++) pacing.came(1);
  pacing.stop();
  vi.advanceTimersByTime(1000);
  expect([acks.length, restarts()]).toEqual([1, 0]);
});
