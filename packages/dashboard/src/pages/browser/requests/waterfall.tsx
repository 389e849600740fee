/** When a request began and ended among those in view, with its phases. The times themselves stand beside it as text. */
import type { api } from '@browserd/sdk';
import { phasesOf } from './phases.ts';
import { axis, type Span, type TimeScale } from './time-scale.ts';

const leastWide = 4;

/** What it adds to the axis: a connection that stays open would make points of all others. */
export function spanOf({ startedAt, durationMs = 0, type, webSocket }: api.NetworkRequest): Span {
  const from = Date.parse(startedAt);
  return { from, to: webSocket || type === 'eventsource' ? from : from + durationMs };
}

export function Waterfall({ request, scale }: { request: api.NetworkRequest; scale: TimeScale }) {
  return (
    <svg
      className="waterfall"
      viewBox={`0 0 ${axis} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {scale.folds.map((at) => (
        <line key={at} className="waterfall-fold" x1={at} x2={at} y1="0" y2="10" />
      ))}
      <Bars request={request} scale={scale} />
    </svg>
  );
}

function Bars({ request, scale }: { request: api.NetworkRequest; scale: TimeScale }) {
  const { startedAt, durationMs, state } = request;
  const began = Date.parse(startedAt);
  const x = Math.min(scale.place(began), axis - leastWide);
  const bar = (name: string, from: number, to: number) => (
    <rect key={name} className={`phase-${name}`} x={from} y="1" width={Math.max(0, to - from)} height="8" />
  );
  if (durationMs === undefined) return bar('pending', x, axis);
  const wide = scale.place(began + durationMs) - x;
  const phases = phasesOf(request);
  const longest = phases.toSorted((a, b) => b.ms - a.ms)[0];
  if (state === 'failed') return bar('failed', x, x + Math.max(wide, leastWide));
  if (!longest || wide <= leastWide) return bar(longest?.name ?? 'whole', x, x + Math.max(wide, leastWide));
  return phases.map(({ name, from, ms }) =>
    bar(name, scale.place(began + from), scale.place(began + from + ms)),
  );
}
