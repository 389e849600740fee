/** The door to the numbers of the service: the registry, and what the process and the exits of browsers say of themselves. */
import { measureProcess } from './process-metrics.ts';
import { createMetrics, type Metrics } from './registry.ts';

export { watchExits } from './exit-totals.ts';
export { definitions, type Metrics } from './registry.ts';

export function openMetrics(): { metrics: Metrics } & Disposable {
  const metrics = createMetrics();
  return { metrics, [Symbol.dispose]: measureProcess(metrics) };
}
