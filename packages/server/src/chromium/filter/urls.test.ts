import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closedAddresses } from './filter.fixture.ts';
import { readAddress } from './urls.ts';

describe('addresses', () => {
  test('of web pages, of text in the address and of nothing are open', () => {
    for (const [text, href] of [
      ['http://a.test', 'http://a.test/'],
      [' \tHTTPS://A.test/x y\n', 'https://a.test/x%20y'],
      ['about:blank', 'about:blank'],
      ['ABOUT:blank#a', 'about:blank#a'],
      ['about:srcdoc', 'about:srcdoc'],
      ['data:text/html,<b>x', 'data:text/html,<b>x'],
      ['blob:https://a.test/0-1', 'blob:https://a.test/0-1'],
      ['blob:null/0-1', 'blob:null/0-1'],
    ])
      expect(readAddress(text)).toEqual({ href });
  });

  test('of files, of Chromium itself and of other programs are closed in every spelling', () => {
    for (const text of closedAddresses)
      expect([text, readAddress(text)]).toEqual([text, { refusal: expect.any(String) }]);
  });

  test('that pass are always of an open kind', () => {
    const scheme = fc.constantFrom(
      'file',
      'chrome',
      'view-source',
      'javascript',
      'http',
      'about',
      'blob',
      'data',
    );
    const noise = fc.string({
      unit: fc.constantFrom(' ', '\t', '\r', '\n', '\u0000', '\u001f', ':', '/', '\\'),
      maxLength: 3,
    });
    fc.assert(
      fc.property(noise, scheme, noise, fc.string(), (before, kind, between, rest) => {
        const address = readAddress(`${before}${kind}:${between}${rest}`);
        if ('href' in address)
          expect(address.href).toMatch(
            /^(https?:|data:|about:(blank|srcdoc)([?#]|$)|blob:(https?:\/\/|null\/))/,
          );
      }),
    );
  });
});
