/** Times and durations for people. All relative times on a page follow one clock, which ticks every five seconds. */
import { useSyncExternalStore } from 'react';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const update of listeners) update();
  }, 5000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

export function relative(at: number, from: number): string {
  const seconds = (at - from) / 1000;
  for (const [size, unit] of units)
    if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit);
  if (Math.abs(seconds) < 10) return 'just now';
  return words.format(Math.round(seconds), 'second');
}

/** The time of day, such as 10:42:07. */
export const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** "5 min. ago", with the exact time under the pointer. */
export function Time({ at }: { at: string | number }) {
  const ticked = useSyncExternalStore(subscribe, () => now);
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span className="faint">unknown</span>;
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {relative(date.getTime(), Math.max(ticked, now))}
    </time>
  );
}

/** 95_000 → "1 min 35 s". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
