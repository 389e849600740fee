/**
 * The keys that seal what is stored. The operator lists them, or the service makes one on its first start:
 *
 *   BROWSERD_SECRET_KEY=NEW,OLD   the first seals, all of them open
 *   DATA/secret-key               the same, a key on each line; made with mode 0600 when there is no key at all
 *
 * Both are opened with when both are there, so that an operator can move from the file to the variable.
 */
import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from '../kit/setup-error.ts';

export const keyBytes = 32;
export const keyIdBytes = 8;

export interface SealingKey {
  /** Says which key sealed a value, and nothing about the key. */
  readonly id: string;
  readonly secret: KeyObject;
}

export const idOfBytes = (bytes: Uint8Array): string => `k_${Buffer.from(bytes).toString('hex')}`;
export const bytesOfId = (id: string): Buffer => Buffer.from(id.slice('k_'.length), 'hex');

export function sealingKey(bytes: Uint8Array): SealingKey {
  const hash = createHash('sha256').update('browserd sealing key id\0').update(bytes).digest();
  return { id: idOfBytes(hash.subarray(0, keyIdBytes)), secret: createSecretKey(bytes) };
}

export const howToMakeKey = 'Make one with: openssl rand -base64 32';

/** 32 bytes as base64, base64url or hex; undefined when it is something else. */
export function keyOfText(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === keyBytes ? bytes : undefined;
}

export const newKeyText = (): string => randomBytes(keyBytes).toString('base64');

/** The keys of the file in their order; none when there is no file. */
export function readKeyFile(file: string): Buffer[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new SetupError(
      `The key file ${file} cannot be read: ${(error as Error).message}. Let the user of the service read it, or set BROWSERD_SECRET_KEY.`,
      { cause: error },
    );
  }
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const keys = lines.map((line, index) => {
    const key = keyOfText(line);
    if (key) return key;
    throw new SetupError(
      `Line ${index + 1} of the key file ${file} is no key: expected 32 bytes as base64 or hex. Restore the file from a backup: without its keys, what was sealed with them is lost.`,
    );
  });
  if (keys.length === 0)
    throw new SetupError(
      `The key file ${file} is empty. Restore it from a backup; if nothing was ever sealed with it, remove it, and the next start makes a new one.`,
    );
  return keys;
}

/** Complete or not there, and private from its first moment. Fails when it is there, unless it is to be replaced. */
export function writeKeyFile(
  file: string,
  keys: readonly string[],
  options: { replace?: boolean } = {},
): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(unfinished, 'wx', 0o600);
  try {
    writeSync(descriptor, `${keys.join('\n')}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    if (options.replace) renameSync(unfinished, file);
    else linkSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
