/**
 * What a request carries besides its purpose: credentials in headers, tokens in addresses, passwords in forms. None of it
 * is shown unless an admin asks for it; the values of secrets are masked elsewhere, whatever is asked.
 */
import { isSecretHeader, isSecretValue, masked } from '../../kit/mask-headers.ts';
import type { Headers } from './logged-request.ts';

/** Within an address, where no other letter would have to be escaped. */
const maskedInAddress = '***';

/** Names of parameters that carry what opens something, and do not look like it. */
const secretNames = new Set(['code', 'state', 'nonce', 'assertion', 'samlresponse', 'samlrequest', 'otp']);
const jwt = /^ey[\w-]{10,}\.[\w-]{4,}/;
/** Long, of one piece, letters and digits mixed: made by a machine to be unguessable. */
const machineMade = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w.~+/=-]{24,}$/;

const looksSecret = (name: string, value: string): boolean => {
  if (value === '') return false;
  const plain = decoded(value);
  return (
    isSecretHeader(name) ||
    secretNames.has(name.toLowerCase()) ||
    jwt.test(plain) ||
    (machineMade.test(plain) && !/^[\w-]+(?:[./][\w-]+)+$/.test(plain))
  );
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const parameter = /([?&#;]|^)([^=&#;?\s"'<>]{1,200})=([^&#;\s"'<>]*)/g;
const login = /(^|[\s"'<(,;=])([a-z][a-z\d+.-]{0,20}:\/\/)[^/?#@\s"'<>]+@/gi;

const maskParameters = (text: string): string =>
  text.replace(parameter, (whole, before: string, name: string, value: string) =>
    looksSecret(decoded(name), value) ? `${before}${name}=${maskedInAddress}` : whole,
  );

/** Also of a text with addresses in it. */
export function redactAddress(text: string): string {
  const noLogin = text.includes('@') ? text.replace(login, `$1$2${maskedInAddress}@`) : text;
  const query = noLogin.search(/[?#;]/);
  return query < 0 ? noLogin : noLogin.slice(0, query) + maskParameters(noLogin.slice(query));
}

export const redactHeaders = (headers: Headers): { name: string; value: string }[] =>
  headers.map(([name, value]) => ({
    name,
    value: isSecretHeader(name) || isSecretValue(value) ? masked : redactAddress(value),
  }));

const jsonMember = /"((?:[^"\\]|\\.){1,200})"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g;

/** A form or JSON, as text; any other text is left as it is. */
export function redactBody(text: string, mimeType: string): string {
  if (/x-www-form-urlencoded/i.test(mimeType)) return maskParameters(text);
  if (!/json/i.test(mimeType)) return text;
  return text.replace(jsonMember, (whole, name: string, between: string, value: string) =>
    looksSecret(name, value.replace(/^"|"$/g, '')) ? `"${name}"${between}"${masked}"` : whole,
  );
}
