/**
 * One sealed value: AES-256-GCM under a key that is derived for this value alone, so that the number of values a key may
 * seal has no limit that matters.
 *
 *   "bds1" | id of the key (8) | salt (24) | ciphertext | tag (16)
 *
 * What the value is about (`checkpoint browser_…`) is authenticated with it: moved to another record, it does not open.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, subtle } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { bytesOfId, idOfBytes, keyIdBytes, type SealingKey } from './key-ring.ts';

const magic = Buffer.from('bds1');
const saltBytes = 24;
export const tagBytes = 16;
const headBytes = magic.length + keyIdBytes + saltBytes;
export const overheadBytes = headBytes + tagBytes;
/** No two values have the same key, so the nonce may be the same for all. */
const nonce = Buffer.alloc(12);

/** Below it, handing the work to a thread costs more than doing it. */
export const largeBytes = 128 * 1024;

export const isSealed = (bytes: Uint8Array): boolean =>
  bytes.length >= overheadBytes && magic.equals(bytes.subarray(0, magic.length));

/** The id of the key that sealed it. */
export const keyIdIn = (sealed: Uint8Array): string =>
  idOfBytes(sealed.subarray(magic.length, magic.length + keyIdBytes));

const derive = ({ secret }: SealingKey, salt: Uint8Array): Buffer =>
  createHmac('sha256', secret).update('browserd sealed value').update(salt).digest();

const aad = (head: Uint8Array, about: string): Buffer => Buffer.concat([head, Buffer.from(about)]);

function newHead(key: SealingKey): { head: Buffer; salt: Buffer } {
  const salt = randomBytes(saltBytes);
  return { head: Buffer.concat([magic, bytesOfId(key.id), salt]), salt };
}

export function seal(key: SealingKey, plain: Uint8Array, about: string): Buffer {
  const { head, salt } = newHead(key);
  const cipher = createCipheriv('aes-256-gcm', derive(key, salt), nonce);
  cipher.setAAD(aad(head, about));
  return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

export async function sealAside(key: SealingKey, plain: Uint8Array, about: string): Promise<Buffer> {
  const { head, salt } = newHead(key);
  const derived = await subtle.importKey('raw', own(derive(key, salt)), 'AES-GCM', false, ['encrypt']);
  const body = await subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: own(aad(head, about)) },
    derived,
    own(plain),
  );
  return Buffer.concat([head, Buffer.from(body)]);
}

interface Parts {
  head: Uint8Array;
  salt: Uint8Array;
  body: Uint8Array;
}

const partsOf = (sealed: Uint8Array): Parts => ({
  head: sealed.subarray(0, headBytes),
  salt: sealed.subarray(magic.length + keyIdBytes, headBytes),
  body: sealed.subarray(headBytes),
});

export function unseal(key: SealingKey, sealed: Uint8Array, about: string): Buffer {
  const { head, salt, body } = partsOf(sealed);
  const decipher = createDecipheriv('aes-256-gcm', derive(key, salt), nonce);
  decipher.setAAD(aad(head, about));
  decipher.setAuthTag(body.subarray(body.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(body.subarray(0, body.length - tagBytes)), decipher.final()]);
  } catch (error) {
    throw damaged(about, error);
  }
}

export async function unsealAside(key: SealingKey, sealed: Uint8Array, about: string): Promise<Buffer> {
  const { head, salt, body } = partsOf(sealed);
  const derived = await subtle.importKey('raw', own(derive(key, salt)), 'AES-GCM', false, ['decrypt']);
  const options = { name: 'AES-GCM', iv: nonce, additionalData: own(aad(head, about)) };
  try {
    return Buffer.from(await subtle.decrypt(options, derived, own(body)));
  } catch (error) {
    throw damaged(about, error);
  }
}

/** Web Crypto takes no views on memory that threads may share; none of ours is. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;

export const damaged = (about: string, cause?: unknown): ApiError =>
  new ApiError(
    'STORE_UNAVAILABLE',
    `What is stored as “${about}” does not open: it was changed, cut short, or moved there from another record. Restore it from a backup.`,
    { cause },
  );
