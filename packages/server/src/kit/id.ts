/** Ids of records: a prefix that says what it is, the time, and enough chance that none is guessed. */
import { randomUUIDv7 } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'browser'
  | 'file'
  | 'download'
  | 'recording'
  | 'dialog'
  | 'event'
  | 'webhook'
  | 'delivery'
  | 'key'
  | 'project'
  | 'profile'
  | 'secret'
  | 'extension'
  | 'job'
  | 'result'
  | 'answer'
  | 'font'
  | 'version'
  | 'vault'
  | 'node'
  | 'check'
  | 'req'
  | 'request';

/** `browser_` + 26 characters of Crockford base32: random, and sorted by the time they were made. */
export function newId(prefix: IdPrefix): string {
  let bits = BigInt(`0x${randomUUIDv7().replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = alphabet[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}

export function isId(prefix: IdPrefix, value: string): boolean {
  return value.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(value.slice(prefix.length + 1));
}
