/** A line over the last minutes, with its newest and highest value in words. */
import { useId } from 'react';

export interface Point {
  at: number;
  value: number;
}
interface ChartProps {
  title: string;
  points: readonly Point[];
  /** How a value is written. */
  format(value: number): string;
  /** The smallest maximum of the scale, so that noise is not blown up. */
  atLeast?: number;
}

const width = 300;
const height = 64;
/** The shortest time on the axis; it grows with the collected points. */
const leastSpanMs = 60_000;

export function Chart({ title, points, format, atLeast = 1 }: ChartProps) {
  const id = useId();
  const newest = points.at(-1);
  const top = Math.max(atLeast, ...points.map(({ value }) => value)) * 1.1;
  const end = newest?.at ?? 0;
  const spanMs = Math.max(leastSpanMs, end - (points[0]?.at ?? end));
  const x = (at: number): string => (width - ((end - at) / spanMs) * width).toFixed(1);
  const y = (value: number): string => (height - 1 - (value / top) * (height - 2)).toFixed(1);
  const line = points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
  const highest = Math.max(0, ...points.map(({ value }) => value));
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <span className="chart-title">{title}</span>
        <span className="chart-value">{newest ? format(newest.value) : '–'}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <line className="chart-base" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
        {points.length > 1 && (
          <>
            <polygon
              className="chart-area"
              points={`${x(points[0]?.at ?? 0)},${height} ${line} ${width},${height}`}
            />
            <polyline className="chart-line" points={line} />
          </>
        )}
      </svg>
      <p className="chart-foot">{points.length > 1 ? `peak ${format(highest)}` : 'collecting data…'}</p>
    </figure>
  );
}
