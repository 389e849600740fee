/** Indentation of selected lines, as pure changes of a text and its selection. */
export interface Selected {
  value: string;
  start: number;
  end: number;
}

const step = '  ';

const lineStart = (value: string, at: number): number => value.lastIndexOf('\n', at - 1) + 1;

export function indent({ value, start, end }: Selected): Selected {
  if (!value.slice(start, end).includes('\n')) {
    return {
      value: value.slice(0, start) + step + value.slice(end),
      start: start + step.length,
      end: start + step.length,
    };
  }
  const from = lineStart(value, start);
  const lines = value.slice(from, end).split('\n');
  const moved = lines.map((line) => (line === '' ? line : step + line));
  const grown = moved.join('\n');
  return {
    value: value.slice(0, from) + grown + value.slice(end),
    start: start + (moved[0] === lines[0] ? 0 : step.length),
    end: from + grown.length,
  };
}

export function outdent({ value, start, end }: Selected): Selected | undefined {
  const from = lineStart(value, start);
  const before = value.slice(from, end);
  const after = before
    .split('\n')
    .map((line) => line.replace(/^( {1,2}|\t)/, ''))
    .join('\n');
  if (after === before) return undefined;
  const first = before.length - before.replace(/^( {1,2}|\t)/, '').length;
  return {
    value: value.slice(0, from) + after + value.slice(end),
    start: Math.max(from, start - first),
    end: end - (before.length - after.length),
  };
}

/** A new line has the indentation of the line before. */
export function newLine({ value, start, end }: Selected): Selected {
  const margin = /^[ \t]*/.exec(value.slice(lineStart(value, start), start))?.[0] ?? '';
  const caret = start + 1 + margin.length;
  return { value: `${value.slice(0, start)}\n${margin}${value.slice(end)}`, start: caret, end: caret };
}
