/**
 * `Content-Disposition: attachment` (RFC 6266): the name in plain ASCII for old clients, and unchanged in the encoding
 * of RFC 8187 where the two differ. Whatever the name contains, it stays within its quotes.
 */
const notPlain = /[^\x20-\x7e]|["\\%]/gu;

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export function attachment(name: string): string {
  const plain = name.replace(notPlain, '_');
  const quoted = `attachment; filename="${plain}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encoded(name)}`;
}
