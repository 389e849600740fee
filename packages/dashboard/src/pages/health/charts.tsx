/** The last minutes, collected while the page is open: the service keeps no history of its own. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ErrorNote } from '../../parts/notices/notices.ts';
import { duration, size } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';
import { Chart } from './chart.tsx';
import { noHistory, withReading } from './history.ts';

const percent = (cores: number): string => `${(cores * 100).toFixed(cores < 0.1 ? 1 : 0)} % of a core`;
const perSecond = (rate: number): string => `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} /s`;

export function Charts({ everyMs }: { everyMs: number }) {
  const client = useClient();
  const metrics = useQuery({
    queryKey: ['health', 'metrics'],
    queryFn: ({ signal }) => client.metrics({ signal }),
    refetchInterval: everyMs,
    // every reading is a point, also when nothing has changed
    structuralSharing: false,
    gcTime: 0,
  });
  const [history, setHistory] = useState(noHistory);
  const { data, dataUpdatedAt } = metrics;
  useEffect(() => {
    if (data !== undefined) setHistory((before) => withReading(before, data, dataUpdatedAt));
  }, [data, dataUpdatedAt]);
  if (metrics.isError && history === noHistory) return <ErrorNote error={metrics.error} />;
  const { points } = history;
  return (
    <section className="charts" aria-label="Last five minutes">
      <Chart title="Ready browsers" points={points.browsers} format={String} atLeast={4} />
      <Chart title="Requests" points={points.requests} format={perSecond} atLeast={5} />
      <Chart title="Service CPU" points={points.cpu} format={percent} atLeast={0.5} />
      <Chart title="Service memory" points={points.memory} format={size} atLeast={2 ** 28} />
      <Chart
        title="Browser traffic"
        points={points.traffic}
        format={(bytes) => `${size(bytes)}/s`}
        atLeast={1024}
      />
      <Chart
        title="Event loop delay (p99)"
        points={points.delay}
        format={(seconds) => duration(seconds * 1000)}
        atLeast={0.1}
      />
    </section>
  );
}
