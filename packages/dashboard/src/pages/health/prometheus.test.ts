import { expect, test } from 'vitest';
import { parseMetrics, sum } from './prometheus.ts';

const text = `# HELP a_total Things.
# TYPE a_total counter
a_total{method="GET",route="/v1/{id}"} 3
a_total{method="POST",route="a\\"b\\\\c\\nd"} 4 1700000000
plain 1.5e3
bucket{le="+Inf"} +Inf
not a number at all
broken{ 5
nan NaN
`;

test('samples are read with their labels, whatever stands in them', () => {
  const samples = parseMetrics(text);
  expect(samples.map(({ name }) => name)).toEqual(['a_total', 'a_total', 'plain', 'bucket']);
  expect(samples[0]?.labels).toEqual({ method: 'GET', route: '/v1/{id}' });
  expect(samples[1]?.labels).toEqual({ method: 'POST', route: 'a"b\\c\nd' });
  expect(samples[2]?.value).toBe(1500);
});

test('samples of a name are added up, those with a label alone if asked', () => {
  const samples = parseMetrics(text);
  expect(sum(samples, 'a_total')).toBe(7);
  expect(sum(samples, 'a_total', { method: 'POST' })).toBe(4);
  expect(sum(samples, 'missing')).toBe(0);
});
