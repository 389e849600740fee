import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Glob } from './glob.ts';

test.each([
  ['https://a.example/x', 'https://a.example/x', true],
  ['https://a.example/x', 'https://a.example/xy', false],
  ['https://a.example/*', 'https://a.example/', true],
  ['*/pixel.gif?*', 'https://a.example/pixel.gif?id=1', true],
  ['*/pixel.gif?*', 'https://a.example/pixel.gifxid', false],
  ['*.js', 'https://a.example/app.js', true],
  ['*.js', 'https://a.example/app.json', false],
  ['*ab*ba', 'xaba', false],
  ['*ab*ba', 'xabba', true],
  ['*', '', true],
])('%s and %s: %s', (pattern, text, fits) => {
  expect(new Glob(pattern).matches(text)).toBe(fits);
});

test('it says what an expression with .* in place of each star says', () => {
  const part = fc.stringMatching(/^[ab.?*]{0,8}$/);
  fc.assert(
    fc.property(part, fc.stringMatching(/^[ab.?]{0,12}$/), (pattern, text) => {
      const escaped = pattern.replace(/[.?]/g, '\\$&').replace(/\*+/g, '.*');
      expect(new Glob(pattern).matches(text)).toBe(new RegExp(`^${escaped}$`, 's').test(text));
    }),
  );
});
