import { expect, test } from 'vitest';
import { axis, timeScale } from './time-scale.ts';

const span = (from: number, to: number) => ({ from, to });

test('times that follow each other are drawn to scale over the whole axis', () => {
  const { place, folds, ms } = timeScale([span(100, 200), span(150, 400), span(300, 500)]);
  expect([100, 200, 300, 500].map(place)).toEqual([0, 250, 500, axis]);
  expect(folds).toEqual([]);
  expect(ms).toBe(400);
});

test('a long time in which nothing happened is folded, and what lies on both sides has one scale', () => {
  const minute = 60_000;
  const { place, folds, ms } = timeScale([span(0, 100), span(minute, minute + 300)]);
  expect(ms).toBe(400);
  expect(folds).toHaveLength(1);
  const [before, after] = [place(100) - place(0), place(minute + 300) - place(minute)];
  expect(after / before).toBeCloseTo(3);
  expect(place(minute + 300)).toBeCloseTo(axis);
  // nothing is drawn into the fold
  expect(place(minute / 2)).toBe(place(100));
});

test('a pause that is short beside the rest is not folded', () => {
  const { folds, place } = timeScale([span(0, 900), span(1700, 2600)]);
  expect(folds).toEqual([]);
  expect(place(1300)).toBeCloseTo(axis / 2);
});

test('many folds leave half of the axis to the times', () => {
  const { folds, place } = timeScale(
    Array.from({ length: 100 }, (_, n) => span(n * 10_000, n * 10_000 + 10)),
  );
  expect(folds).toHaveLength(99);
  expect(place(99 * 10_000 + 10)).toBeCloseTo(axis);
});

test('nothing, and what took no time, has a place', () => {
  expect(timeScale([]).place(5)).toBe(0);
  expect(timeScale([span(5, 5)]).place(5)).toBe(0);
});
