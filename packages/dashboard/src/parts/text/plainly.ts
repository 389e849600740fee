/**
 * Untrusted text with the characters that would deceive its reader spelled out: those that turn the direction of text
 * around, that are not seen, and that a terminal obeys. Line breaks and tabs stay.
 */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export const plainly = (text: string): string =>
  text.replace(
    unseen,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
