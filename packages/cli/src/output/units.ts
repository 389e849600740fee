/** Sizes and times for people. */
const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function size(bytes: number | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const step = Math.min(sizes.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return step === 0 ? `${bytes} B` : `${(bytes / 1024 ** step).toFixed(1)} ${sizes[step]}`;
}

const spans: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** `90000` is `1m 30s`: the two largest parts. */
export function span(ms: number): string {
  const first = spans.findIndex(([, length]) => ms >= length);
  if (first < 0) return `${Math.max(0, Math.round(ms))} ms`;
  const parts: string[] = [];
  let rest = ms;
  for (const [name, length] of spans.slice(first, first + 2)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count}${name}`);
  }
  return parts.join(' ');
}

export const ago = (time: string | undefined, now = Date.now()): string | undefined =>
  time === undefined ? undefined : `${span(Math.max(0, now - Date.parse(time)))} ago`;

export const ahead = (time: string | undefined, now = Date.now()): string | undefined => {
  if (time === undefined) return undefined;
  const left = Date.parse(time) - now;
  return left > 0 ? `in ${span(left)}` : 'past';
};
