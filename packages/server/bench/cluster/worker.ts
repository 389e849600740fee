/**
 * A process that stands for some of the nodes of a cell. It asks at a steady rate, whether the database keeps up or not: what
 * it could not ask for in its time is reported, not made up for.
 */
import { openStore } from '../../src/store/store.ts';
import { type Operation, operations, type Part } from './load.ts';
import { countStatements } from './statements.ts';

export interface Order extends Part {
  url: string;
  dataDir: string;
  /** Each a second. */
  rates: Record<Operation, number>;
  seconds: number;
}

export interface Report {
  done: Record<Operation, number>;
  /** Of each some, in ms. */
  took: Record<Operation, number[]>;
  failed: number;
  failure?: string;
  statements: number;
}

const tickMs = 10;
const mostUnderWay = 200;
const samplesEach = 2000;

async function work(order: Order): Promise<Report> {
  const statements = countStatements();
  const store = await openStore({ databaseUrl: order.url, dataDir: order.dataDir });
  const all = Object.entries(operations(store, order)) as [Operation, () => Promise<unknown>][];
  const zeros = () => Object.fromEntries(all.map(([name]) => [name, 0])) as Record<Operation, number>;
  const report: Report = {
    done: zeros(),
    took: Object.fromEntries(all.map(([name]) => [name, [] as number[]])) as Report['took'],
    failed: 0,
    statements: 0,
  };
  const begun = zeros();
  const under = new Set<Promise<void>>();
  let counts = true;
  const run = (name: Operation, operation: () => Promise<unknown>): void => {
    begun[name]++;
    const startedAt = performance.now();
    const one = operation()
      .then(
        () => {
          if (!counts) return;
          report.done[name]++;
          const { [name]: took } = report.took;
          if (took.length < samplesEach) took.push(performance.now() - startedAt);
        },
        (error: Error) => {
          report.failed++;
          report.failure ??= `${name}: ${error.message}`;
        },
      )
      .finally(() => under.delete(one));
    under.add(one);
  };
  const before = statements();
  const startedAt = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - startedAt) / 1000;
      if (elapsed >= order.seconds) {
        clearInterval(timer);
        resolve();
        return;
      }
      for (const [name, operation] of all)
        while (begun[name] < order.rates[name] * elapsed && under.size < mostUnderWay) run(name, operation);
    }, tickMs);
  });
  counts = false;
  report.statements = statements() - before;
  await Promise.all(under);
  await store.close();
  return report;
}

process.once('message', (order: Order) => {
  void work(order).then((report) =>
    process.send?.(report, undefined, undefined, () => process.disconnect?.()),
  );
});
