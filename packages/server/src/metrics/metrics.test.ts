import { describe, expect, test } from 'vitest';
import { measureProcess } from './process-metrics.ts';
import { createMetrics, definitions } from './registry.ts';

const lineOf = (text: string, name: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(name));

describe('the table', () => {
  test('names counters, times and sizes as Prometheus expects it', () => {
    for (const [name, { type, help, labels }] of Object.entries(definitions)) {
      expect(name).toMatch(/^(browserd|process)_[a-z_]+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(help).toMatch(/^[A-Z][^"\\\n]+[.)]$/);
      // nothing that callers choose
      expect(labels.filter((label) => /id|url|name|project|browser|key/.test(label))).toEqual([]);
    }
  });
});

describe('a scrape', () => {
  test('shows what was counted and what is asked for', async () => {
    const metrics = createMetrics();
    metrics.count('browserd_errors_total', { code: 'INTERNAL' });
    metrics.count('browserd_errors_total', { code: 'INTERNAL' }, 2);
    metrics.observe('browserd_script_seconds', {}, 0.02);
    let used = 3;
    metrics.readFrom('browserd_capacity_used', () => used);
    metrics.readFrom('browserd_egress_bytes_total', async () => [{ direction: 'in', value: 70 }]);
    for (const expected of [3, 4]) {
      const { text } = await metrics.render(undefined);
      expect(lineOf(text, 'browserd_errors_total')).toBe('browserd_errors_total{code="INTERNAL"} 3');
      expect(lineOf(text, 'browserd_script_seconds_sum')).toBe('browserd_script_seconds_sum 0.02');
      expect(lineOf(text, 'browserd_capacity_used')).toBe(`browserd_capacity_used ${expected}`);
      expect(lineOf(text, 'browserd_egress_bytes_total')).toBe(
        'browserd_egress_bytes_total{direction="in"} 70',
      );
      used++;
    }
  });

  test('leaves out what cannot be found out, and says how much that is', async () => {
    const metrics = createMetrics();
    let away = false;
    metrics.readFrom('browserd_browsers', async () => {
      if (away) throw new Error('the database is away');
      return [{ status: 'ready', value: 1 }];
    });
    metrics.readFrom('browserd_capacity_used', () => 1);
    expect(lineOf((await metrics.render(undefined)).text, 'browserd_browsers{')).toContain('1');
    away = true;
    const { text } = await metrics.render(undefined);
    expect(lineOf(text, 'browserd_browsers{')).toBeUndefined();
    expect(lineOf(text, 'browserd_capacity_used')).toBe('browserd_capacity_used 1');
    expect(lineOf(text, 'browserd_metrics_failed')).toBe('browserd_metrics_failed 1');
  });

  test('asks once for all who come at the same time', async () => {
    const metrics = createMetrics();
    let asked = 0;
    metrics.readFrom('browserd_capacity_used', () => ++asked);
    await Promise.all([metrics.render(undefined), metrics.render('application/openmetrics-text')]);
    expect(asked).toBe(1);
  });

  test('tells of the process, and of a blocked event loop', async () => {
    const metrics = createMetrics();
    const off = measureProcess(metrics);
    await metrics.render(undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const until = performance.now() + 200;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { text } = await metrics.render(undefined);
    off();
    const value = (name: string): number => Number(lineOf(text, name)?.split(' ')[1]);
    expect(value('browserd_event_loop_delay_seconds{quantile="max"}')).toBeGreaterThan(0.1);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(value('process_open_fds')).toBeGreaterThan(3);
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  });
});
