/**
 * The forms in which a value comes out of a page, each of which is masked: as it is, URL-encoded, in base64 (also as a
 * part of something longer that was encoded), escaped for JSON, escaped for HTML.
 */
const shortest = 4;

const strictly = (text: string): string =>
  text.replace(/[!'()*~._-]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const lowerHex = (text: string): string => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());

function urlForms(value: string): string[] {
  let encoded: string;
  try {
    encoded = encodeURIComponent(value);
  } catch {
    // half of a surrogate pair
    return [];
  }
  const asForm = new URLSearchParams([['', value]]).toString().slice(1);
  const all = [encoded, encodeURI(value), strictly(encoded), asForm, asForm.replaceAll('+', '%20')];
  return all.flatMap((text) => [text, lowerHex(text)]);
}

/** Whatever stands before it, it begins at one of three places within a group of four letters. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const known = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [known, known.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const escapeUnicode = (text: string): string =>
  escapeJson(text).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function escapedForms(value: string): string[] {
  const json = escapeJson(value);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = html.replaceAll('"', '&quot;');
  const all = [json, escapeJson(json), escapeUnicode(value), html, quoted];
  return [...all, quoted.replaceAll("'", '&#39;'), quoted.replaceAll("'", '&#x27;'), escapeJson(quoted)];
}

/** Longest first, so that no form is masked as a part of another. */
export function formsOf(value: string): string[] {
  const all = new Set([value, ...urlForms(value), ...base64Forms(value), ...escapedForms(value)]);
  return [...all].filter((form) => form.length >= shortest).sort((a, b) => b.length - a.length);
}
