import { expect, test } from 'vitest';
import { blocksOf, leadingOf, linesOf, type Piece } from './pdf-lines.ts';

/** Letters of half their size in width, at these places. */
const piece = (str: string, x: number, y: number, size = 10): Piece => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: (str.length * size) / 2,
  hasEOL: true,
});
const read = (...pieces: Piece[]): string[][] => {
  const lines = linesOf(pieces);
  return blocksOf(lines, leadingOf([lines])).map((block) => block.lines);
};
const full = 'words that go on up to the very edge of it';

test('lines that are full flow into a paragraph, and words that were cut are whole again', () => {
  expect(
    read(piece('words that go on up to the very edge of hyphen-', 0, 100), piece('ation', 0, 88)),
  ).toEqual([['words that go on up to the very edge of hyphenation']]);
  expect(read(piece(full, 0, 100), piece(full, 0, 88))).toEqual([[`${full} ${full}`]]);
});

test('a hyphen of its own stays', () => {
  expect(read(piece('as it was said in this year a state-of-the-', 0, 100), piece('art', 0, 88))).toEqual([
    ['as it was said in this year a state-of-the-art'],
  ]);
});

test('a line that had room for more was meant to end there', () => {
  expect(read(piece(full, 0, 100), piece('Street', 0, 88), piece('Town', 0, 76))).toEqual([
    [`${full} Street`, 'Town'],
  ]);
});

test('the lines of a table of contents stay lines', () => {
  const lines = ['1 Otters . . . . . . . . 1', '2 Rivers . . . . . . . . 2'];
  expect(read(piece(lines[0] ?? '', 0, 100), piece(lines[1] ?? '', 0, 88))).toEqual([lines]);
});

test('a gap, another size, an indent after a short line or the sign of an item begins anew', () => {
  expect(read(piece(full, 0, 100), piece(full, 0, 88), piece('After a gap', 0, 60))).toHaveLength(2);
  expect(read(piece('Heading', 0, 100, 14), piece(full, 0, 86))).toHaveLength(2);
  expect(read(piece(full, 0, 100), piece('short.', 0, 88), piece('Indented', 15, 76))).toHaveLength(2);
  expect(read(piece(full, 0, 100), piece('• item', 0, 88), piece('2) item', 0, 76))).toHaveLength(3);
});

test('signs that are none are left out', () => {
  expect(read(piece('\0\0', 0, 100), piece('a\0b', 0, 80))).toEqual([['ab']]);
});
