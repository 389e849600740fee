/** Samples of one thing, in milliseconds unless said otherwise. */
export interface Row {
  part: string;
  what: string;
  p50: number;
  p95: number;
  samples: number;
  unit: string;
  /** How this row compares to another of the same part: "0.04 × Playwright launch". */
  ratios: Record<string, number>;
}

const quantile = (sorted: number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

const rounded = (value: number): number => Number(value.toPrecision(3));

export function summarize(part: string, series: Record<string, number[]>, unit = 'ms'): Row[] {
  const rows = Object.entries(series).map(([what, values]) => {
    const sorted = [...values].sort((a, b) => a - b);
    return {
      part,
      what,
      p50: rounded(quantile(sorted, 0.5)),
      p95: rounded(quantile(sorted, 0.95)),
      samples: values.length,
      unit,
      ratios: {} as Record<string, number>,
    };
  });
  const [ours, ...rivals] = rows;
  for (const rival of rivals)
    if (ours && rival.p50 !== 0) ours.ratios[rival.what] = rounded(ours.p50 / rival.p50);
  return rows;
}

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const began = performance.now();
  const value = await work();
  return { ms: performance.now() - began, value };
}

export function print(rows: Row[]): void {
  for (const row of rows) {
    const ratios = Object.entries(row.ratios).map(([rival, ratio]) => `${ratio} × ${rival}`);
    console.log(
      `  ${row.what.padEnd(44)} p50 ${String(row.p50).padStart(7)} ${row.unit}   p95 ${String(row.p95).padStart(7)} ${row.unit}   n=${row.samples}   ${ratios.join(', ')}`,
    );
  }
}
