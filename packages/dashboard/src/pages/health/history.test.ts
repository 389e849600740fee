import { expect, test } from 'vitest';
import { noHistory, spanMs, withReading } from './history.ts';

const reading = (cpu: number, requests: number): string =>
  `process_cpu_seconds_total ${cpu}
browserd_http_requests_total{status="200"} ${requests}
browserd_http_requests_total{status="404"} 1
browserd_browsers{status="ready"} 2
browserd_browsers{status="stopped"} 7
process_resident_memory_bytes 1000`;
const valuesOf = (points: readonly { value: number }[]) => points.map(({ value }) => value);

test('gauges are shown as they are, counters by their growth a second', () => {
  const first = withReading(noHistory, reading(10, 100), 1000);
  const { points } = withReading(first, reading(11, 120), 3000);
  expect(valuesOf(points.browsers)).toEqual([2, 2]);
  expect(valuesOf(points.memory)).toEqual([1000, 1000]);
  expect(valuesOf(points.cpu)).toEqual([0.5]);
  expect(valuesOf(points.requests)).toEqual([10]);
});

test('a restart of the service makes no negative step', () => {
  const before = withReading(noHistory, reading(10, 100), 1000);
  const after = withReading(before, reading(1, 5), 2000);
  expect(after.points.cpu).toEqual([]);
  expect(valuesOf(withReading(after, reading(2, 6), 3000).points.cpu)).toEqual([1]);
});

test('points older than the window are dropped', () => {
  const first = withReading(noHistory, reading(1, 1), 0);
  expect(withReading(first, reading(1, 1), spanMs + 1).points.memory).toHaveLength(1);
});
