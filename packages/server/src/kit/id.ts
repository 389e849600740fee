/** Ids of records: a prefix that says what it is, the time, and enough chance that none is guessed. */
import { randomBytes, randomUUIDv7 } from 'node:crypto';

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

let latest = 0n;

/** Later ones are greater, also within one millisecond: what a caller made first comes first in every list. */
function nextBits(): bigint {
  const drawn = BigInt(`0x${randomUUIDv7().replaceAll('-', '')}`);
  latest = drawn > latest ? drawn : latest + 1n + BigInt(`0x${randomBytes(6).toString('hex')}`);
  return latest;
}

/** `browser_` + 26 characters of Crockford base32: random, and sorted by the time they were made. */
export function newId(prefix: IdPrefix): string {
  let bits = nextBits();
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
