/**
 * A process that stands for some of the nodes of a cell. It asks at a steady rate, whether the database keeps up or not: what
 * it could not ask for in its time is reported, not made up for.
 *
 *   order ──> connected and warm: 'warm' ──'go'──> the load ──> its report, and the end of the process
 */
import { once } from 'node:events';
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
/** Of each operation before it counts: connections are made, and the server has read its catalogue. */
const warmUp = 20;

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
  for (const [, operation] of all) await Promise.all(Array.from({ length: warmUp }, operation));
  process.send?.('warm');
  await once(process, 'message');
  /** So that a database that does not keep up is asked for less of everything, not of some. */
  const furthestBehind = (elapsed: number): (typeof all)[number] | undefined => {
    const behind = ([name]: (typeof all)[number]): number => elapsed - begun[name] / order.rates[name];
    const [first] = all.toSorted((a, b) => behind(b) - behind(a));
    return first && behind(first) > 0 ? first : undefined;
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
      while (under.size < mostUnderWay) {
        const next = furthestBehind(elapsed);
        if (!next) break;
        run(...next);
      }
    }, tickMs);
  });
  counts = false;
  report.statements = statements() - before;
  await Promise.all(under);
  return report;
}

process.once('message', (order: Order) => {
  void work(order).then((report) => process.send?.(report));
});
