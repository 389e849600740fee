import { expect, test } from 'vitest';
import { chordOf, chordsOf, keyOfSign } from './keys.ts';

const names = (text: string): string =>
  chordOf(text)
    .map(({ key }) => key)
    .join(' ');

test.each([
  ['ctrl+a', 'Control a'],
  ['Control+Shift+T', 'Control Shift T'],
  ['super', 'Meta'],
  ['Return', 'Enter'],
  ['KP_Enter', 'Enter'],
  ['Page_Down', 'PageDown'],
  ['BackSpace', 'Backspace'],
  ['ArrowLeft', 'ArrowLeft'],
  ['ESC', 'Escape'],
  ['f12', 'F12'],
  ['space', ' '],
  ['ctrl++', 'Control +'],
  ['+', '+'],
  ['ctrl+plus', 'Control +'],
  ['KeyZ', 'z'],
])('%s is %s', (text, keys) => expect(names(text)).toBe(keys));

test('several chords have spaces between them', () => {
  expect(chordsOf('Tab Tab ctrl+a').map((keys) => keys.length)).toEqual([1, 1, 2]);
  expect(chordsOf(' ').flat()[0]?.code).toBe('Space');
});

test('a key that is none is refused with the nearest', () => {
  expect(() => chordOf('Entr')).toThrow(/no key “Entr”; Enter may be meant/);
});

test('every sign of ASCII has a key, and others have none', () => {
  for (let code = 32; code < 127; code++) expect(keyOfSign(String.fromCharCode(code))?.code).toMatch(/^\w+$/);
  for (const sign of ['é', '日', '👍']) expect(keyOfSign(sign)).toBeUndefined();
});
