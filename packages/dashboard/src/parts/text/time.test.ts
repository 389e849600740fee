import { expect, test } from 'vitest';
import { size } from './size.ts';
import { duration, relative } from './time.tsx';

test('times are relative to now, both ways', () => {
  const now = Date.parse('2026-01-15T12:00:00Z');
  const shown = (seconds: number) => relative(now + seconds * 1000, now);
  expect([-3, -42, -90, -7200, -86_400, 1800].map(shown)).toEqual([
    'just now',
    '42 sec. ago',
    '1 min. ago',
    '2 hr. ago',
    'yesterday',
    'in 30 min.',
  ]);
});

test('durations have their two largest units', () => {
  expect([0, 950, 12_300, 95_000, 3_600_000, 90_061_000].map(duration)).toEqual([
    '0 ms',
    '950 ms',
    '12 s',
    '1 min 35 s',
    '1 h',
    '1 d 1 h',
  ]);
});

test('sizes have one digit after the point, where it matters', () => {
  expect([0, 1023, 1024, 1_572_864, 209_715_200, 2 ** 50].map(size)).toEqual([
    '0 B',
    '1023 B',
    '1 KiB',
    '1.5 MiB',
    '200 MiB',
    '1024 TiB',
  ]);
});
