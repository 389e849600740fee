import { expect, test } from 'vitest';
import { inches, paperOf } from './pdf-paper.ts';
import { type Print, pdfSchema } from './schema.ts';

const print = (fields: object): Print => pdfSchema.parse(fields);

test('lengths of every unit become inches', () => {
  expect(['96', 96, '96px', '1in', '2.54cm', '25.4mm'].map(inches)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('paper is a format, or the given sides, and letter if neither is said', () => {
  expect(paperOf(print({}))).toMatchObject({ paperWidth: 8.5, paperHeight: 11, marginTop: 0 });
  expect(paperOf(print({ format: 'a4' }))).toMatchObject({ paperWidth: 8.27, paperHeight: 11.7 });
  const margin = { left: '1cm', bottom: 48 };
  expect(paperOf(print({ width: '5in', margin }))).toMatchObject({
    paperWidth: 5,
    paperHeight: 11,
    marginLeft: 1 / 2.54,
    marginBottom: 0.5,
  });
});

test('paper without room to print on is refused', () => {
  expect(() => paperOf(print({ width: 1, height: 1 }))).toThrow(/width/);
  expect(() => paperOf(print({ height: '300in' }))).toThrow(/height/);
  expect(() => paperOf(print({ margin: { left: '4in', right: '4.5in' } }))).toThrow(/margin/);
  const margin = { top: '5in', bottom: '5in' };
  expect(paperOf(print({ margin })).marginTop).toBe(5);
  expect(() => paperOf(print({ margin, landscape: true }))).toThrow(/11 × 8.5/);
});

test('page ranges are numbers with dashes and commas', () => {
  const ranges = (pageRanges: string) => pdfSchema.safeParse({ pageRanges }).success;
  expect(['1', '1-3', '1-3, 5', '-3', '4-', ' 1 , 2 '].map(ranges)).not.toContain(false);
  expect(['', '-', '1--2', '1,,2', 'one', '1-2-3'].map(ranges)).not.toContain(true);
});
