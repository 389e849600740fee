import { expect, test } from 'vitest';
import { indent, newLine, outdent, type Selected } from './indent.ts';

/** `|` is the caret, or both ends of a selection. */
const at = (text: string): Selected => {
  const start = text.indexOf('|');
  const end = text.lastIndexOf('|');
  return { value: text.replaceAll('|', ''), start, end: end === start ? start : end - 1 };
};
const shown = (selected: Selected | undefined): string | undefined => {
  if (!selected) return undefined;
  const { value, start, end } = selected;
  const caret = start === end ? '|' : `|${value.slice(start, end)}|`;
  return value.slice(0, start) + caret + value.slice(end);
};

test('Tab indents at the caret, or all the lines that are selected', () => {
  expect(shown(indent(at('a|b')))).toBe('a  |b');
  expect(shown(indent(at('one\nt|wo\nthr|ee')))).toBe('one\n  t|wo\n  thr|ee');
  expect(shown(indent(at('|a\n\nb|')))).toBe('  |a\n\n  b|');
});

test('Shift and Tab take it away again, as far as there is any', () => {
  expect(shown(outdent(at('one\n  t|wo\n  thr|ee')))).toBe('one\nt|wo\nthr|ee');
  expect(shown(outdent(at('   a|')))).toBe(' a|');
  expect(outdent(at('a|'))).toBeUndefined();
});

test('a new line begins where the one before it did', () => {
  expect(shown(newLine(at('if (x) {\n  a();|\n}')))).toBe('if (x) {\n  a();\n  |\n}');
});
