/** A table for people: aligned, and no wider than the terminal. */
import { cutTo, oneLine, widthOf } from './plain-text.ts';

export interface Column<Row> {
  title: string;
  value(row: Row): string | number | undefined;
  /** Cut first when there is too little room. Columns to copy from, such as an id, are never cut. */
  flexible?: boolean;
  right?: boolean;
}

const gap = '  ';
const narrowest = 8;

export function tableOf<Row>(
  columns: Column<Row>[],
  rows: Row[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ value }) => oneLine(String(value(row) ?? '')) || '-'));
  const natural = columns.map((_, at) =>
    Math.max(...[titles, ...cells].map((line) => widthOf((line[at] ?? '').slice(0, 4096)))),
  );
  const widths = fitted(
    natural,
    columns.map(({ flexible }) => flexible === true),
    width - gap.length * (columns.length - 1),
  );
  return [titles, ...cells].map((line) =>
    line
      .map((text, at) => padded(cutTo(text, widths[at] ?? 0), widths[at] ?? 0, columns[at]?.right === true))
      .join(gap)
      .trimEnd(),
  );
}

/** Narrows the widest flexible column first, step by step, until all fit or none can be narrower. */
function fitted(natural: number[], flexible: boolean[], room: number): number[] {
  const widths = [...natural];
  for (;;) {
    const total = widths.reduce((sum, each) => sum + each, 0);
    const largest = Math.max(...widths.map((each, at) => (flexible[at] ? each : 0)));
    if (total <= room || largest <= narrowest) return widths;
    const at = widths.findIndex((each, index) => flexible[index] && each === largest);
    widths[at] = Math.max(narrowest, largest - Math.max(1, Math.min(total - room, largest >> 3)));
  }
}

function padded(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
}

/** A single record: one field per line. */
export function fieldsOf(fields: [name: string, value: string | number | undefined][]): string[] {
  const given = fields.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${name.padEnd(width)}  ${oneLine(String(value))}`);
}
