import { describe, expect, test } from 'vitest';
import { ago, ahead, size, span } from '../output/units.ts';
import {
  count,
  decimal,
  duration,
  json,
  pair,
  seconds,
  several,
  timeLimit,
  viewport,
} from './option-values.ts';

describe('values of options', () => {
  test('are durations with a unit', () => {
    expect(['500ms', '30s', '10m', '1.5h', '7d'].map(duration)).toEqual([
      500, 30_000, 600_000, 5_400_000, 604_800_000,
    ]);
    for (const wrong of ['', '10', '5 minutes', '-1s', '1w'])
      expect(() => duration(wrong)).toThrow('such as 500ms');
  });

  test('are seconds where no unit is given', () => {
    expect([seconds('60'), seconds('2m'), seconds('1500ms')]).toEqual([60, 120, 2]);
    expect([timeLimit('1.5'), timeLimit('90s')]).toEqual([1500, 90_000]);
  });

  test('are sizes of a viewport', () => {
    expect(viewport('1280x720')).toEqual({ width: 1280, height: 720 });
    expect(viewport('390x844@3')).toEqual({ width: 390, height: 844, deviceScaleFactor: 3 });
    expect(() => viewport('1280')).toThrow('1280x720');
  });

  test('are collected when given several times', () => {
    expect(pair('b=c=d', pair('a=1'))).toEqual({ a: '1', b: 'c=d' });
    expect(() => pair('=x')).toThrow('NAME=VALUE');
    expect(several('c', several('a, b,'))).toEqual(['a', 'b', 'c']);
  });

  test('are counts and JSON', () => {
    expect([count('7'), count('all')]).toEqual([7, Number.POSITIVE_INFINITY]);
    expect(() => count('some')).toThrow('whole number');
    expect([decimal('1'), decimal('0.5'), decimal('.5')]).toEqual([1, 0.5, 0.5]);
    for (const wrong of ['abc', '', '1e3', '-1']) expect(() => decimal(wrong)).toThrow('such as 1.5');
    expect(json('{"a": [1]}')).toEqual({ a: [1] });
    expect(() => json('{')).toThrow('not JSON');
  });
});

test('sizes and times are written for people', () => {
  expect([size(0), size(1023), size(1536), size(5 * 1024 ** 3), size(undefined)]).toEqual([
    '0 B',
    '1023 B',
    '1.5 KiB',
    '5.0 GiB',
    undefined,
  ]);
  expect([span(0), span(999), span(90_000), span(3_600_000), span(90_061_000)]).toEqual([
    '0 ms',
    '999 ms',
    '1m 30s',
    '1h',
    '1d 1h',
  ]);
  const now = Date.parse('2026-01-01T00:00:00.000Z');
  expect(ago('2025-12-31T23:59:00.000Z', now)).toBe('1m ago');
  expect(ahead('2026-01-01T01:00:00.000Z', now)).toBe('in 1h');
  expect(ahead('2025-01-01T01:00:00.000Z', now)).toBe('past');
});
