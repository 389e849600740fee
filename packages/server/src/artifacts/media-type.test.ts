import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasMarks } from './magic.ts';
import { mediaTypeOf } from './media-type.ts';

const bytes = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const zip = 'PK\x03\x04\x14\0\0\0\x08\0';

describe('marks in the bytes', () => {
  test.each([
    ['image/png', png],
    ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF\0'],
    ['image/gif', 'GIF89a\x01\0\x01\0'],
    ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0'],
    ['application/pdf', '%PDF-1.7\n'],
    ['application/zip', zip],
    ['application/gzip', '\x1f\x8b\x08\0'],
    ['application/x-tar', `${'a'.repeat(257)}ustar\0`],
    ['video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0'],
    ['video/quicktime', '\0\0\0\x14ftypqt  '],
    ['video/webm', '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm'],
    ['video/x-matroska', '\x1aE\xdf\xa3\xa3B\x86\x81\x01B\x82\x88matroska'],
    ['audio/mpeg', 'ID3\x04\0'],
    ['audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
    ['audio/ogg', 'OggS\0\x02'],
    ['audio/flac', 'fLaC\0\0'],
    ['font/woff2', 'wOF2\0\x01'],
    ['application/wasm', '\0asm\x01\0\0\0'],
  ])('say %s, whatever is declared', (type, head) => {
    expect(mediaTypeOf({ head: bytes(head), name: 'x' })).toBe(type);
    expect(mediaTypeOf({ head: bytes(head), name: 'x.html', declared: 'text/html' })).toBe(type);
  });

  test('leave room for a closer name', () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(mediaTypeOf({ head: bytes(zip), name: 'letter.docx' })).toBe(docx);
    expect(mediaTypeOf({ head: bytes(zip), name: 'letter', declared: docx })).toBe(docx);
    expect(mediaTypeOf({ head: bytes(zip), name: 'letter.html', declared: 'image/png' })).toBe(
      'application/zip',
    );
    expect(mediaTypeOf({ head: bytes('OggS\0'), name: 'film.ogv' })).toBe('video/ogg');
  });
});

describe('without marks', () => {
  test.each([
    ['hello', 'notes.txt', undefined, 'text/plain'],
    ['hello', 'notes', undefined, 'text/plain'],
    ['a,b\n1,2', 'table.csv', undefined, 'text/csv'],
    ['a,b\n1,2', 'table', 'Text/CSV; charset=utf-8', 'text/csv'],
    ['{"a":1}', 'x', 'application/json', 'application/json'],
    ['<p>hello', 'page.html', undefined, 'text/html'],
    ['<svg/>', 'logo.svg', undefined, 'image/svg+xml'],
    ['grüße 🦊', 'x', undefined, 'text/plain'],
    ['', 'empty', undefined, 'text/plain'],
    ['MZ and BM are initials', 'x', undefined, 'text/plain'],
    ['hello', 'x.txt', 'application/x-www-form-urlencoded', 'text/plain'],
    ['hello', 'x', 'nonsense', 'text/plain'],
    ['hello', 'x', 'text/html\r\nSet-Cookie: a', 'text/plain'],
  ])('the text %j called %j and declared as %j is %s', (text, name, declared, type) => {
    expect(mediaTypeOf({ head: Buffer.from(text), name, declared })).toBe(type);
  });

  test.each([
    ['image/png', 'photo.png'],
    ['application/pdf', 'x.pdf'],
    ['video/mp4', 'x.mp4'],
  ])('nobody believes that text is %s', (declared, name) => {
    expect(mediaTypeOf({ head: bytes('<script>alert(1)</script>'), name, declared })).toBe('text/plain');
  });

  test('bytes that are no text are never called text', () => {
    for (const declared of ['text/html', 'application/json', 'image/svg+xml', 'application/xhtml+xml'])
      expect(mediaTypeOf({ head: bytes('\0\x01\x02'), name: 'x.html', declared })).toBe(
        'application/octet-stream',
      );
    expect(mediaTypeOf({ head: bytes('\0\x01\x02'), name: 'x', declared: 'application/x-own' })).toBe(
      'application/x-own',
    );
  });

  test('a character cut in half by the end of the head is still text', () => {
    expect(mediaTypeOf({ head: Buffer.from('aé').subarray(0, 2), name: 'x' })).toBe('text/plain');
  });
});

test('whatever comes, the answer is one plain type, and marked types come from marks alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.string(), fc.string(), (head, name, declared) => {
      expect(mediaTypeOf({ head, name, declared })).toMatch(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/);
    }),
  );
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z ]{0,40}$/),
      fc.constantFrom('image/png', 'application/pdf', 'video/webm'),
      (text, declared) => {
        expect(hasMarks(mediaTypeOf({ head: Buffer.from(text), name: 'x', declared }))).toBe(false);
      },
    ),
  );
});
