/** Passwords and tokens in what a form or a program sends, and in what it is answered. */
import { masked } from './mask-headers.ts';
import { looksSecret, redactParameters } from './redact-address.ts';

const jsonMember = /"((?:[^"\\]|\\.){1,200})"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g;

/** A form or JSON, as text; any other text is left as it is. */
export function redactBody(text: string, mimeType: string): string {
  if (/x-www-form-urlencoded/i.test(mimeType)) return redactParameters(text);
  if (!/json/i.test(mimeType)) return text;
  return text.replace(jsonMember, (whole, name: string, between: string, value: string) =>
    looksSecret(name, value.replace(/^"|"$/g, '')) ? `"${name}"${between}"${masked}"` : whole,
  );
}
