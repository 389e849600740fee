import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../tests/support/any-text.ts';
import { safeName } from './name.ts';

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '/',
      '\\',
      '..',
      '\r',
      '\n',
      '\0',
      '\u202e',
      '\u2066',
      '.',
      ' ',
      ':',
      '"',
      'CON',
      '\ud800',
    ),
    anyCharacter,
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 400,
});

describe('a name, whatever was given,', () => {
  test('has no path, no line end and nothing unseen, fits everywhere, and is never empty', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const name = safeName(given);
        expect(name).not.toBe('');
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\u2028-\u202e\u2066-\u2069\u200e\u200f\ufeff]/u);
        expect(name).not.toMatch(/^\.{1,2}$|[\s.]$|^\s/u);
        expect(name.isWellFormed()).toBe(true);
        expect(name.normalize('NFC')).toBe(name);
      }),
      { numRuns: 500 },
    );
  });

  test('is clean after the first cleaning', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        expect(safeName(safeName(given))).toBe(safeName(given));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps its extension when it is too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 300 }), (stem) => {
        expect(safeName(`x${stem.replaceAll(/[/\\]/g, '')}.tar`)).toMatch(/\.tar$/);
      }),
    );
  });
});

test.each([
  ['report.pdf', 'report.pdf'],
  ['Übersicht 2026 – final (2).xlsx', 'Übersicht 2026 – final (2).xlsx'],
  ['👩‍👩‍👧 نوشته‌ها.txt', '👩‍👩‍👧 نوشته‌ها.txt'],
  ['e\u0301te\u0301.txt', 'été.txt'],
  ['.env', '.env'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\fakepath\\photo.png', 'photo.png'],
  ['folder/', 'folder'],
  ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie_ x=1.txt'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['what? "this" <is> a|b*.txt', 'what_ _this_ _is_ a_b_.txt'],
  ['con.txt', '_con.txt'],
  ['LPT1', '_LPT1'],
  ['console.log', 'console.log'],
  ['trailing. . .', 'trailing'],
  ['..', 'file'],
  ['', 'file'],
  [' \t\r\n', 'file'],
  ['/\\/', 'file'],
])('%j becomes %j', (given, expected) => {
  expect(safeName(given)).toBe(expected);
});

test('3,000 characters become 255 bytes, cut between characters, with the extension', () => {
  const name = safeName(`${'é'.repeat(3000)}.jpeg`);
  expect(name).toBe(`${'é'.repeat(125)}.jpeg`);
  expect(safeName('🦊'.repeat(3000))).toBe('🦊'.repeat(63));
  expect(Buffer.byteLength(safeName(`a.${'b'.repeat(3000)}`))).toBe(255);
});
