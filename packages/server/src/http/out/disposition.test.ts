import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../tests/support/any-text.ts';
import { attachment } from './disposition.ts';

test.each([
  ['report.pdf', 'attachment; filename="report.pdf"'],
  ['a b.txt', 'attachment; filename="a b.txt"'],
  ['été.txt', `attachment; filename="_t_.txt"; filename*=UTF-8''%C3%A9t%C3%A9.txt`],
  ['🦊.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%A6%8A.png`],
  [`it's (1)*.txt`, `attachment; filename="it's (1)*.txt"`],
  [`é'(1)*`, `attachment; filename="_'(1)*"; filename*=UTF-8''%C3%A9%27%281%29%2A`],
  ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
])('%j is sent as %s', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test('no name gets out of its quotes, and every name comes back', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const header = attachment(name);
      expect(header).toMatch(/^attachment; filename="[^"\\\r\n]*"(; filename\*=UTF-8''[\w%!#$&+.^`|~-]*)?$/);
      const star = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
      if (star !== undefined) expect(decodeURIComponent(star)).toBe(name.toWellFormed());
    }),
  );
});
