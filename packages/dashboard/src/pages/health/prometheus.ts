/**
 * The text format of Prometheus, as far as needed: samples with their labels. Lines that cannot be parsed are skipped: a
 * single one must not break the page.
 */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes: Record<string, string> = { n: '\n', '"': '"', '\\': '\\' };

export function parseMetrics(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const row of text.split('\n')) {
    if (row.startsWith('#')) continue;
    const [, name, labels = '', number] = line.exec(row) ?? [];
    if (name === undefined) continue;
    const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
    if (Number.isNaN(value)) continue;
    samples.push({ name, labels: labelsOf(labels), value });
  }
  return samples;
}

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(label)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter),
    ]),
  );

/** The sum of all samples with this name and these labels. */
export const sum = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number =>
  samples
    .filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((total, { value }) => total + value, 0);
