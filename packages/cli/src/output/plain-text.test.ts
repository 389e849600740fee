import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutTo, oneLine, printableJson, severalLines, widthOf } from './plain-text.ts';
import { tableOf } from './table.ts';

const esc = '\u001b';
const anything = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }))
  .map((points) => String.fromCodePoint(...points));

describe('untrusted text', () => {
  test('cannot move the cursor, recolour, retitle or turn the direction of writing', () => {
    expect(oneLine(`${esc}[31mred${esc}]0;title\u0007`)).toBe('[31mred]0;title');
    expect(oneLine('a\u009b2Jb\u007f')).toBe('a2Jb');
    expect(oneLine('invoice\u202egpj.exe \u2066x\u2069\u200f\u061c')).toBe('invoicegpj.exe x');
    expect(oneLine('two\r\nlines\tand\u2028more')).toBe('two lines and more');
    expect(severalLines('one\r\ntwo\n\tthree\u001b[2J')).toBe('one\ntwo\n\tthree[2J');
  });

  test('keeps what people write, and only so many marks on a letter', () => {
    for (const text of ['Grüße', '日本語', 'שלום', '👩‍👩‍👧', 'e\u0301']) expect(oneLine(text)).toBe(text);
    expect(oneLine(`a${'\u0301'.repeat(1000)}b`)).toBe(`a${'\u0301'.repeat(4)}b`);
  });

  test('is never left with anything that a terminal interprets', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(oneLine(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  test('means the same in JSON, spelled out', () => {
    const hostile = { title: 'a\u009b31m\u202eb\u2028\u{e0041}\u001b' };
    expect(printableJson(hostile)).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(printableJson(hostile))).toEqual(hostile);
    expect(printableJson(undefined)).toBe('null');
  });
});

describe('widths', () => {
  test('count columns of the terminal', () => {
    expect(widthOf('abc')).toBe(3);
    expect(widthOf('日本')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('👩‍👩‍👧')).toBe(2);
  });

  test('are never exceeded by what is cut', () => {
    expect(cutTo('short', 5)).toBe('short');
    expect(cutTo('longer', 5)).toBe('long…');
    expect(cutTo('日本語', 5)).toBe('日本…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(widthOf(cutTo(oneLine(text), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('of a megabyte are found at once', () => {
    expect(cutTo('x'.repeat(5_000_000), 10)).toBe('xxxxxxxxx…');
  });
});

describe('a table', () => {
  const columns = [
    { title: 'ID', value: (row: string[]) => row[0] },
    { title: 'TITLE', value: (row: string[]) => row[1], flexible: true },
    { title: 'N', value: (row: string[]) => row[2], right: true },
  ];

  test('is aligned, also with wide characters and nothing', () => {
    expect(
      tableOf(columns, [
        ['browser_1', '日本語', '7'],
        ['b', '', '12'],
      ]),
    ).toEqual(['ID         TITLE    N', 'browser_1  日本語   7', 'b          -       12']);
  });

  test('fits the terminal by cutting what may be cut, and never an id', () => {
    const id = `browser_${'0'.repeat(26)}`;
    const lines = tableOf(columns, [[id, 'x'.repeat(500), '7']], 60);
    expect(lines.every((line) => widthOf(line) <= 60)).toBe(true);
    expect(lines[1]).toContain(id);
    expect(lines[1]).toContain('…');
    expect(tableOf(columns, [[id, 'x'.repeat(500), '7']], 10)[1]).toContain(id);
  });

  test('has one line for each row, whatever the row says', () => {
    expect(tableOf(columns, [['a', 'x\ny\u001b[2J', '1']])).toHaveLength(2);
  });
});
