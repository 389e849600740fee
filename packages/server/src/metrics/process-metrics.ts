/** The process of the service itself, under the names that Prometheus' dashboards know. Returns the off switch. */
import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './registry.ts';

export function measureProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.readFrom('browserd_event_loop_delay_seconds', () => {
    const found = [
      { quantile: 'p50', value: delay.percentile(50) },
      { quantile: 'p99', value: delay.percentile(99) },
      { quantile: 'max', value: delay.max },
    ];
    const samples = found.map(({ quantile, value }) => ({ quantile, value: delay.count ? value / 1e9 : 0 }));
    delay.reset();
    return samples;
  });
  metrics.readFrom('process_cpu_seconds_total', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.readFrom('process_resident_memory_bytes', () => process.memoryUsage.rss());
  metrics.readFrom('process_heap_bytes', () => {
    const { heapUsed, heapTotal } = process.memoryUsage();
    return [
      { what: 'used', value: heapUsed },
      { what: 'total', value: heapTotal },
    ];
  });
  metrics.readFrom('process_open_fds', async () => (await readdir('/dev/fd')).length);
  const startedAt = Date.now() / 1000 - process.uptime();
  metrics.readFrom('process_start_time_seconds', () => startedAt);
  return () => delay.disable();
}
