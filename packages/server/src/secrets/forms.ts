/**
 * The forms in which a value comes out of a page, each of which is masked: as it is, URL-encoded, in base64 (also as a
 * part of something longer that was encoded), escaped for JSON, escaped for HTML.
 */
import type { Forms } from './matcher.ts';

/** Shorter ones would be masked wherever a few such letters stand. */
export const shortest = 4;

const strictly = (text: string): string =>
  text.replace(/[!'()*~._-]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const lowerHex = (text: string): string => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());

function* urlForms(value: string): Generator<string> {
  let encoded: string;
  try {
    encoded = encodeURIComponent(value);
  } catch {
    // half of a surrogate pair
    return;
  }
  const asForm = new URLSearchParams([['', value]]).toString().slice(1);
  for (const text of [encoded, encodeURI(value), strictly(encoded), asForm, asForm.replaceAll('+', '%20')]) {
    yield text;
    yield lowerHex(text);
  }
}

/** Whatever stands before it, it begins at one of three places within a group of four letters. */
function* base64Forms(value: string): Generator<string> {
  const bytes = Buffer.from(value);
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const known = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    yield known;
    yield known.replaceAll('+', '-').replaceAll('/', '_');
  }
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const escapeUnicode = (text: string): string =>
  escapeJson(text).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function* escapedForms(value: string): Generator<string> {
  const json = escapeJson(value);
  yield json;
  yield escapeJson(json);
  yield escapeUnicode(value);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = html.replaceAll('"', '&quot;');
  yield* [html, quoted, quoted.replaceAll("'", '&#39;'), quoted.replaceAll("'", '&#x27;')];
  yield escapeJson(quoted);
}

function* allForms(value: string): Generator<string> {
  yield value;
  yield* urlForms(value);
  yield* base64Forms(value);
  yield* escapedForms(value);
}

const ofNumber = /^[\d+.eE-]+$/;

/** A step for each form: of a long value, each takes a fraction of a millisecond. */
export function* formsInSteps(value: string): Generator<undefined, Forms> {
  const texts = new Set<string>();
  for (const text of allForms(value)) {
    if (text.length >= shortest) texts.add(text);
    yield;
  }
  const all = [...texts].map((text) => ({ bytes: Buffer.from(text), units: text.length }));
  return {
    all,
    bytes: all.reduce((sum, { bytes }) => sum + bytes.length, 0),
    holdNumbers: [...texts].some((text) => ofNumber.test(text)),
  };
}
