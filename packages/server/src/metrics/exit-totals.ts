/** The exits of all browsers together: the totals of closed ones, and the current counts of the open ones. */
import type { Metrics } from './registry.ts';

interface Stats {
  bytesIn: number;
  bytesOut: number;
  connections: number;
  refused: number;
}

interface CountedExit {
  stats(): Stats;
  close(): Promise<void>;
}

export function watchExits(metrics: Metrics): <E extends CountedExit>(exit: E) => E {
  const open = new Set<CountedExit>();
  const gone = { bytesIn: 0, bytesOut: 0, refused: 0 };
  const add = (sum: typeof gone, { bytesIn, bytesOut, refused }: Stats): void => {
    sum.bytesIn += bytesIn;
    sum.bytesOut += bytesOut;
    sum.refused += refused;
  };
  const all = (): typeof gone => {
    const sum = { ...gone };
    for (const exit of open) add(sum, exit.stats());
    return sum;
  };
  metrics.readFrom('browserd_egress_bytes_total', () => {
    const { bytesIn, bytesOut } = all();
    return [
      { direction: 'in', value: bytesIn },
      { direction: 'out', value: bytesOut },
    ];
  });
  metrics.readFrom('browserd_egress_refused_total', () => all().refused);
  metrics.readFrom('browserd_egress_connections', () =>
    [...open].reduce((sum, exit) => sum + exit.stats().connections, 0),
  );
  return (exit) => {
    open.add(exit);
    const close = async (): Promise<void> => {
      await exit.close();
      if (open.delete(exit)) add(gone, exit.stats());
    };
    return { ...exit, close };
  };
}
