/**
 * A file name as its owner gave it, without what could harm a person or program that saves or shows it later: paths
 * (RFC 6266, 4.3), line ends that would split a header, characters that reverse the direction of writing
 * (`invoice\u202Efdp.exe`), and names that Windows reserves. Cleaning a clean name changes nothing.
 */
const longestBytes = 255;
const longestExtensionBytes = 32;
const nameless = 'file';

/** Control, format and line-breaking characters; joiners stay, because emoji and some scripts are written with them. */
const unseen =
  /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
const reservedCharacters = /[<>:"|?*]/g;
const reservedName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

export function safeName(given: string): string {
  const last =
    given
      .toWellFormed()
      .split(/[/\\]/)
      .findLast((part) => part.trim() !== '') ?? '';
  const clean = last
    .replace(unseen, '')
    .replace(reservedCharacters, '_')
    .normalize('NFC')
    .replace(/^\s+|[\s.]+$/gu, '')
    .replace(reservedName, '_$1');
  return shortened(clean) || nameless;
}

/** The end carries the type, so the middle is cut. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestBytes) return name;
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? name.slice(dot) : '';
  const extension = Buffer.byteLength(end) <= longestExtensionBytes ? end : '';
  const room = longestBytes - Buffer.byteLength(extension);
  return firstBytes(name.slice(0, name.length - extension.length), room).replace(/[\s.]+$/u, '') + extension;
}

/** As many whole characters as fit. */
function firstBytes(text: string, room: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(room, bytes.length);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
