/**
 * The metrics of the service, for Prometheus. Events are counted as they happen; states are read at each scrape:
 *
 *   callbacks ──count, observe──> registry <──read at a scrape── what was given to `readFrom`
 *
 * A new number is a row in definitions.ts and one line where it comes from.
 */
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { definitions, type LabelsOf, type MetricName, type NameOf } from './definitions.ts';

export { definitions } from './definitions.ts';

export interface Metrics {
  count<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  observe<Name extends NameOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
  /** Called at each scrape: returns one number, or samples by label. */
  readFrom<Name extends NameOf<'gauge' | 'counter'>>(name: Name, source: Source<Name>): void;
  /** All metrics in the text format of Prometheus, or as OpenMetrics where the client accepts that. */
  render(accept: string | undefined): Promise<{ type: string; text: string }>;
}

export type Sample<Name extends MetricName> = LabelsOf<Name> & { value: number };
type Value<Name extends MetricName> = number | Sample<Name>[];
export type Source<Name extends MetricName> = () => Value<Name> | Promise<Value<Name>>;

type Labels = Record<string, string>;
type Metric = Counter<string> | Gauge<string> | Histogram<string>;

type Config = { name: string; help: string; labelNames: string[]; registers: [Registry]; buckets?: number[] };

const create = (type: string, config: Config): Metric => {
  if (type === 'counter') return new Counter(config);
  return type === 'gauge' ? new Gauge(config) : new Histogram(config);
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  const metrics = new Map<string, Metric>();
  const sources = new Map<string, () => unknown>();
  for (const [name, { type, labels, ...rest }] of Object.entries(definitions)) {
    const config = { name, ...rest, labelNames: [...labels], registers: [registry] };
    metrics.set(name, create(type, config as Config));
  }
  const named = <M extends Metric>(name: string): M => metrics.get(name) as M;

  const fill = async (name: string, source: () => unknown): Promise<void> => {
    const metric = named<Counter<string> | Gauge<string>>(name);
    const value = (await source()) as number | Record<string, unknown>[];
    metric.reset();
    for (const { value: each, ...labels } of typeof value === 'number' ? [{ value }] : value)
      metric.inc(labels as Labels, each as number);
  };
  /** A source that fails is left out: an unreachable database is no reason to show nothing at all. */
  const fillAll = async (): Promise<void> => {
    const outcomes = await Promise.all(
      [...sources].map(([name, source]) =>
        fill(name, source).catch(() => {
          named(name).reset();
          return 'failed';
        }),
      ),
    );
    const failed = outcomes.filter((outcome) => outcome === 'failed').length;
    named<Gauge>('browserd_metrics_failed').set(failed);
  };

  let scrape: Promise<string> | undefined;
  return {
    count: (name, labels, by = 1) => named<Counter<string>>(name).inc(labels as Labels, by),
    observe: (name, labels, seconds) => named<Histogram<string>>(name).observe(labels as Labels, seconds),
    readFrom: (name, source) => void sources.set(name, source),
    async render(accept) {
      // Concurrent scrapes share one reading.
      scrape ??= fillAll()
        .then(() => registry.metrics())
        .finally(() => {
          scrape = undefined;
        });
      const text = await scrape;
      return openMetrics.test(accept ?? '')
        ? { type: Registry.OPENMETRICS_CONTENT_TYPE, text: asOpenMetrics(text) }
        : { type: Registry.PROMETHEUS_CONTENT_TYPE, text };
    },
  };
}

const openMetrics = /\bapplication\/openmetrics-text\b/i;

/**
 * OpenMetrics names a counter without its `_total`, allows no empty lines, and has an end mark. The library's own
 * conversion renames the counters for good, so that one client's format would change another's.
 */
const asOpenMetrics = (text: string): string =>
  `${text.replace(/^(# (?:HELP|TYPE) \S+?)_total /gm, '$1 ').replaceAll('\n\n', '\n')}# EOF\n`;
