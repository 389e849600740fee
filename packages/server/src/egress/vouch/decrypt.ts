/**
 * What a passphrase opens in key files (PBES2, and the Triple DES of older PKCS #12 files). How often the passphrase is hashed
 * is written in the file, so a caller decides how much work it is: it is bounded, and done beside the loop, on one thread of the
 * few that read files too.
 */
import { createDecipheriv, hash, pbkdf2 } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Mutex } from '../../kit/mutex.ts';
import { type Element, elementsIn, oidOf, smallInteger, tags, within } from './der.ts';

/** Why a file cannot be opened, for people; says nothing of what is in it. */
export class Unreadable extends Error {}

/** As many as the heaviest files of today have. */
const mostRounds = 1_000_000;
/** The older way is done on the loop, a few rounds at a time. */
const mostOldRounds = 20_000;
const roundsAtOnce = 500;

const oneAtATime = new Mutex();

const schemes = {
  pbes2: '2a864886f70d01050d',
  pbkdf2: '2a864886f70d01050c',
  tripleDes: '2a864886f70d010c0103',
};
const hmacs: Record<string, string> = {
  '2a864886f70d0207': 'sha1',
  '2a864886f70d0209': 'sha256',
  '2a864886f70d020a': 'sha384',
  '2a864886f70d020b': 'sha512',
};
const ciphers: Record<string, { name: string; keyBytes: number }> = {
  '608648016503040102': { name: 'aes-128-cbc', keyBytes: 16 },
  '608648016503040116': { name: 'aes-192-cbc', keyBytes: 24 },
  '60864801650304012a': { name: 'aes-256-cbc', keyBytes: 32 },
};
const unknownWay = (): Unreadable =>
  new Unreadable('is encrypted in a way that is not supported; write it again with AES-256 and PBKDF2');

/** `algorithm` is the AlgorithmIdentifier that stands before the bytes. */
export async function decrypt(algorithm: Element, bytes: Buffer, passphrase: string): Promise<Buffer> {
  const { name, key, iv } = await keyFor(algorithm, passphrase);
  try {
    const decipher = createDecipheriv(name, key, iv);
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  } catch {
    throw new Unreadable('cannot be opened with this passphrase');
  }
}

function keyFor(algorithm: Element, passphrase: string): Promise<{ name: string; key: Buffer; iv: Buffer }> {
  const scheme = oidOf(within(algorithm, 0));
  if (scheme === schemes.pbes2) return modernKey(within(algorithm, 1), passphrase);
  if (scheme === schemes.tripleDes) return tripleDesKey(within(algorithm, 1), passphrase);
  throw unknownWay();
}

async function modernKey(parameters: Element, passphrase: string) {
  const cipher = ciphers[oidOf(within(parameters, 1, 0))];
  const [salt, rounds, ...rest] = elementsIn(within(parameters, 0, 1).content);
  const prf = rest.find(({ tag }) => tag === tags.sequence);
  const digest = prf ? hmacs[oidOf(within(prf, 0))] : 'sha1';
  if (oidOf(within(parameters, 0, 0)) !== schemes.pbkdf2 || !cipher || !digest || !salt || !rounds)
    throw unknownWay();
  const times = checkedRounds(rounds, mostRounds);
  const hashed = () => promisify(pbkdf2)(passphrase, salt.content, times, cipher.keyBytes, digest);
  const key = await oneAtATime.run(hashed);
  return { name: cipher.name, key, iv: within(parameters, 1, 1).content };
}

function checkedRounds(rounds: Element, most: number): number {
  const times = smallInteger(rounds);
  if (times < 1 || times > most)
    throw new Unreadable(`hashes its passphrase more than ${most} times; write it again with fewer`);
  return times;
}

async function tripleDesKey(parameters: Element, passphrase: string) {
  const salt = within(parameters, 0).content;
  const times = checkedRounds(within(parameters, 1), mostOldRounds);
  const derived = (id: number, bytes: number) => oldKey({ id, salt, times, passphrase }, bytes);
  return { name: 'des-ede3-cbc', key: await derived(1, 24), iv: await derived(2, 8) };
}

const block = 64;
const filled = (bytes: Buffer): Buffer =>
  bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);

/** RFC 7292, appendix B.2, with SHA-1. */
async function oldKey(
  from: { id: number; salt: Buffer; times: number; passphrase: string },
  bytes: number,
): Promise<Buffer> {
  const password = Buffer.from(`${from.passphrase}\0`, 'utf16le').swap16();
  const seed = Buffer.concat([filled(from.salt), filled(password)]);
  const made: Buffer[] = [];
  for (let length = 0; length < bytes; ) {
    let digest = hash('sha1', Buffer.concat([Buffer.alloc(block, from.id), seed]), 'buffer');
    for (let round = 1; round < from.times; round++) {
      digest = hash('sha1', digest, 'buffer');
      if (round % roundsAtOnce === 0) await setImmediate();
    }
    made.push(digest);
    length += digest.length;
    const more = BigInt(`0x${Buffer.alloc(block, digest).toString('hex')}`) + 1n;
    for (let at = 0; at < seed.length; at += block) {
      const sum = BigInt(`0x${seed.toString('hex', at, at + block)}`) + more;
      Buffer.from(
        BigInt.asUintN(block * 8, sum)
          .toString(16)
          .padStart(block * 2, '0'),
        'hex',
      ).copy(seed, at);
    }
  }
  return Buffer.concat(made).subarray(0, bytes);
}
