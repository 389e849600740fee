/**
 * Untrusted text with the characters that would deceive its reader spelled out: those that turn the direction of text
 * around, that are not seen, and that a terminal obeys. Line breaks and tabs stay, and what joins letters and pictures.
 */
const deceiving =
  /(?![\t\r\n])\p{Cc}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export const plainly = (text: string): string =>
  text.replace(
    deceiving,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
