/**
 * Addresses as they may be shown: logins, and the values of parameters that carry credentials, are hidden. Which do is told
 * by their names, and by values that look as if a machine had made them to be unguessable.
 */
import { isSecretHeader } from './mask-headers.ts';

/** What stands in the place of a value. */
export type Mask = (value: string) => string;

/** Within an address, where no other letter would have to be escaped. */
export const maskedInAddress = '***';
const always: Mask = () => maskedInAddress;

/** Names of parameters that carry what opens something, and do not look like it. */
const secretNames = new Set(['code', 'state', 'nonce', 'assertion', 'samlresponse', 'samlrequest', 'otp']);
const jwt = /^ey[\w-]{10,}\.[\w-]{4,}/;
/** Long, of one piece, letters and digits mixed. */
const machineMade = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w.~+/=-]{24,}$/;

/** What a value is shows in its beginning. */
const mostLookedAt = 65_536;

/** Whether a parameter, or a field of a form, carries what opens something. */
export function looksSecret(name: string, value: string): boolean {
  if (value === '') return false;
  const plain = decoded(value.slice(0, mostLookedAt));
  return (
    isSecretHeader(name) ||
    secretNames.has(name.toLowerCase()) ||
    jwt.test(plain) ||
    (machineMade.test(plain) && !/^[\w-]+(?:[./][\w-]+)+$/.test(plain))
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// No pattern takes letters without limit: one that takes ten million at a time can exhaust the stack of the engine.
const parameter = /([?&#;]|^)([^=&#;?\s"'<>]{1,200})=/g;
const endOfValue = /[&#;\s"'<>]/g;
const login = /(^|[\s"'<(,;=])([a-z][a-z\d+.-]{0,20}:\/\/)[^/?#@\s"'<>]{1,4096}@/gi;

/** Where the next of these letters is; the end of the text when there is none. */
function placeOf(letters: RegExp, text: string, from: number): number {
  letters.lastIndex = from;
  return letters.exec(text)?.index ?? text.length;
}

/** Of a query, or of a form as it is sent. */
export function redactParameters(text: string, mask = always): string {
  let redacted = '';
  let from = 0;
  for (;;) {
    parameter.lastIndex = from;
    const found = parameter.exec(text);
    if (!found) return redacted + text.slice(from);
    const [start, , name = ''] = found;
    const begin = found.index + start.length;
    const end = placeOf(endOfValue, text, begin);
    const value = text.slice(begin, end);
    const isSecret = looksSecret(decoded(name), value);
    redacted += text.slice(from, begin) + (isSecret ? mask(decoded(value)) : value);
    from = end;
  }
}

/** Also of a text with addresses in it. */
export function redactAddress(text: string, mask = always): string {
  const noLogin = text.includes('@') ? text.replace(login, `$1$2${maskedInAddress}@`) : text;
  const query = noLogin.search(/[?#;]/);
  return query < 0 ? noLogin : noLogin.slice(0, query) + redactParameters(noLogin.slice(query), mask);
}

/** A backslash ends it, too: in the text of JSON it belongs to what follows. */
const betweenWords = /[\s"'<>()\\]/g;
const isAddress = (text: string): boolean =>
  (text.includes('?') || text.includes('://') || text.startsWith('#')) && !text.startsWith('data:');

/** The addresses in any text: of a page, of a log, or of JSON. All else in it stays as it is. */
export function redactAddresses(text: string, mask = always): string {
  let redacted = '';
  for (let from = 0; from < text.length; ) {
    const end = placeOf(betweenWords, text, from);
    const word = text.slice(from, end);
    redacted += isAddress(word) ? redactAddress(word, mask) : word;
    redacted += text.slice(end, end + 1);
    from = end + 1;
  }
  return redacted;
}
