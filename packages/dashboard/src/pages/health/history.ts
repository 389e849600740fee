/**
 * The metrics of the service while the page is open. Counters only grow, so they are shown as growth per second; a counter
 * that shrank was reset by a restart, and that step is left out.
 */
import type { Point } from './chart.tsx';
import { parseMetrics, type Sample, sum } from './prometheus.ts';

export const spanMs = 5 * 60_000;

const series = {
  browsers: { of: (samples: Sample[]) => sum(samples, 'browserd_browsers', { status: 'ready' }) },
  memory: { of: (samples: Sample[]) => sum(samples, 'process_resident_memory_bytes') },
  cpu: { of: (samples: Sample[]) => sum(samples, 'process_cpu_seconds_total'), counter: true },
  requests: { of: (samples: Sample[]) => sum(samples, 'browserd_http_requests_total'), counter: true },
  traffic: { of: (samples: Sample[]) => sum(samples, 'browserd_egress_bytes_total'), counter: true },
  delay: {
    of: (samples: Sample[]) => sum(samples, 'browserd_event_loop_delay_seconds', { quantile: 'p99' }),
  },
} satisfies Record<string, { of(samples: Sample[]): number; counter?: true }>;

export type SeriesName = keyof typeof series;
const names = Object.keys(series) as SeriesName[];

export interface History {
  points: Record<SeriesName, readonly Point[]>;
  /** The last reading, which the growth of counters is measured from. */
  last?: { at: number; values: Record<SeriesName, number> };
}

export const noHistory: History = {
  points: Object.fromEntries(names.map((name) => [name, []])) as unknown as History['points'],
};

export function withReading({ points, last }: History, text: string, at: number): History {
  const samples = parseMetrics(text);
  const values = Object.fromEntries(names.map((name) => [name, series[name].of(samples)])) as Record<
    SeriesName,
    number
  >;
  const next = names.map((name) => {
    const value = 'counter' in series[name] ? growth(name, values[name], at, last) : values[name];
    const kept = points[name].filter((point) => point.at > at - spanMs);
    return [name, value === undefined ? kept : [...kept, { at, value }]];
  });
  return { points: Object.fromEntries(next) as History['points'], last: { at, values } };
}

function growth(name: SeriesName, value: number, at: number, last: History['last']): number | undefined {
  if (!last || at <= last.at || value < last.values[name]) return undefined;
  return (value - last.values[name]) / ((at - last.at) / 1000);
}
