/** API keys are long random secrets, so a plain hash is enough to store them. */
import { createHash, randomBytes } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 62^43 is the first power of 62 above 2^256, so every secret has the same length. */
const length = 43;

/** `bd_` + 32 random bytes in base62: one word to select with a double click, and easy to find in a leak. */
export function newSecret(bytes: Buffer = randomBytes(32)): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i++) {
    text = digits[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return `bd_${text}`;
}

/** What is stored in place of the secret. 256 random bits need no slow hash. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
