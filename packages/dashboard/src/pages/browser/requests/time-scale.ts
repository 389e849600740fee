/**
 * The axis of the waterfall, for the requests in view. Busy times are drawn to one scale. A long time in which nothing
 * happened is folded, or two visits a minute apart would be two points on an empty line:
 *
 *   ▬▬▬ ▬▬   ▬▬▬▬   (40 s)   ▬▬ ▬▬▬        →        ▬▬▬ ▬▬   ▬▬▬▬ ┊ ▬▬ ▬▬▬
 */
export interface Span {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

export interface TimeScale {
  /** Where a moment is, from 0 to `axis`. */
  place(at: number): number;
  /** Where time is folded. */
  folds: readonly number[];
  /** The busy time that the axis shows. */
  ms: number;
}

export const axis = 1000;
const leastFoldedMs = 200;
/** Of the axis, for one fold and for all. */
const foldWidth = 30;
const mostFolded = axis / 2;

export function timeScale(spans: readonly Span[]): TimeScale {
  const busy = stretches(spans);
  const ms = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const wide = busy.length > 1 ? Math.min(foldWidth, mostFolded / (busy.length - 1)) : 0;
  const perMs = ms > 0 ? (axis - wide * (busy.length - 1)) / ms : 0;
  const starts: number[] = [];
  let at = 0;
  for (const { from, to } of busy) {
    starts.push(at);
    at += (to - from) * perMs + wide;
  }
  return {
    ms,
    folds: starts.slice(1).map((start) => start - wide / 2),
    place(moment) {
      const index = busy.findLastIndex(({ from }) => from <= moment);
      const stretch = busy[index];
      if (!stretch) return 0;
      return Math.min(axis, (starts[index] ?? 0) + (Math.min(moment, stretch.to) - stretch.from) * perMs);
    },
  };
}

/** Spans that touch, or are not far apart, as one. */
function stretches(spans: readonly Span[]): Span[] {
  const sorted = spans.toSorted((a, b) => a.from - b.from);
  const touching = merged(sorted, 0);
  const busyMs = touching.reduce((sum, { from, to }) => sum + to - from, 0);
  return merged(touching, Math.max(leastFoldedMs, busyMs / 2));
}

function merged(sorted: readonly Span[], mostApartMs: number): Span[] {
  const found: Span[] = [];
  for (const { from, to } of sorted) {
    const last = found.at(-1);
    if (last && from - last.to <= mostApartMs) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}
