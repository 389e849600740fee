import { expect, test } from 'vitest';
import { plainly } from './plainly.ts';

test('characters that turn text around, hide, or speak to a terminal are spelled out', () => {
  expect(plainly('photo_\u202egpj.exe')).toBe('photo_⟨U+202E⟩gpj.exe');
  expect(plainly('a\u200bb\u0000c\u001b[31m')).toBe('a⟨U+200B⟩b⟨U+0000⟩c⟨U+001B⟩[31m');
});

test('text in any language, its lines and its tabs stay as they are', () => {
  const text = 'متصفح\n\tשלום 世界 👩‍🔬'.replaceAll('\u200d', '');
  expect(plainly(text)).toBe(text);
});
