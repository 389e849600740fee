/**
 * Archives of any length, sealed as they pass:
 *
 *   a sealed value with a key of the archive's own | frame | frame | … | last frame
 *   frame: length (4, its first bit says "the last") | ciphertext | tag (16)
 *
 * The number of a frame and whether it is the last go into its nonce, so frames cannot be left out, swapped or appended,
 * and an archive that was cut short does not open. Since the archive has a key of its own, a rotation changes its first
 * bytes only. The ciphers run on the threads of libuv.
 */
import { randomBytes, subtle, type webcrypto } from 'node:crypto';
import { Transform } from 'node:stream';
import { damaged, overheadBytes, tagBytes } from './envelope.ts';
import { keyBytes } from './key-ring.ts';

const frameBytes = 256 * 1024;
const lengthBytes = 4;
const lastBit = 0x8000_0000;

/** The first bytes of an archive, which a rotation replaces. */
export const archiveHeadBytes = overheadBytes + keyBytes;
export const aboutKey = (about: string): string => `key of ${about}`;

type Cipher = (bytes: Uint8Array, frame: number, last: boolean) => Promise<Buffer>;

function nonceOf(frame: number, last: boolean): Buffer<ArrayBuffer> {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(frame));
  nonce[11] = last ? 1 : 0;
  return nonce;
}

async function cipherOf(key: Uint8Array, usage: 'encrypt' | 'decrypt'): Promise<Cipher> {
  const imported: webcrypto.CryptoKey = await subtle.importKey(
    'raw',
    key as Uint8Array<ArrayBuffer>,
    'AES-GCM',
    false,
    [usage],
  );
  return async (bytes, frame, last) =>
    Buffer.from(
      await subtle[usage](
        { name: 'AES-GCM', iv: nonceOf(frame, last) },
        imported,
        bytes as Uint8Array<ArrayBuffer>,
      ),
    );
}

type Done = (error?: Error | null) => void;

/** A transform whose work may wait. */
const stepping = (
  step: (bytes: Buffer, into: Transform) => Promise<void>,
  end: (into: Transform) => Promise<void>,
) =>
  new Transform({
    transform(bytes: Buffer, _, done: Done) {
      step(bytes, this).then(() => done(), done);
    },
    flush(done: Done) {
      end(this).then(() => done(), done);
    },
  });

export function sealArchive(wrap: (key: Uint8Array) => Buffer): Transform {
  let cipher: Cipher | undefined;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let frame = 0;
  const begin = async (into: Transform): Promise<Cipher> => {
    const key = randomBytes(keyBytes);
    into.push(wrap(key));
    return cipherOf(key, 'encrypt');
  };
  const write = async (plain: Buffer, last: boolean, into: Transform): Promise<void> => {
    cipher ??= await begin(into);
    const body = await cipher(plain, frame, last);
    frame += 1;
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE((last ? lastBit : 0) + body.length);
    into.push(Buffer.concat([length, body]));
  };
  const take = (): Buffer => {
    const all = Buffer.concat(waiting);
    [waiting, waitingBytes] = [[], 0];
    return all;
  };
  return stepping(
    async (bytes, into) => {
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes <= frameBytes) return;
      let rest = take();
      for (; rest.length > frameBytes; rest = rest.subarray(frameBytes))
        await write(rest.subarray(0, frameBytes), false, into);
      waiting.push(rest);
      waitingBytes = rest.length;
    },
    async (into) => write(take(), true, into),
  );
}

export function unsealArchive(about: string, unwrap: (head: Buffer) => Uint8Array): Transform {
  let cipher: Cipher | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let frame = 0;
  let ended = false;
  /** The next frame, once all of it is there. */
  const next = (): { body: Buffer; last: boolean } | undefined => {
    if (rest.length < lengthBytes) return undefined;
    const written = rest.readUInt32BE();
    const last = written >= lastBit;
    const length = last ? written - lastBit : written;
    if (length < tagBytes || length > frameBytes + tagBytes) throw damaged(about);
    if (rest.length < lengthBytes + length) return undefined;
    const body = rest.subarray(lengthBytes, lengthBytes + length);
    rest = rest.subarray(lengthBytes + length);
    return { body, last };
  };
  const open = async (): Promise<Cipher | undefined> => {
    if (rest.length < archiveHeadBytes) return undefined;
    const key = unwrap(rest.subarray(0, archiveHeadBytes));
    rest = rest.subarray(archiveHeadBytes);
    return cipherOf(key, 'decrypt');
  };
  return stepping(
    async (bytes, into) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      cipher ??= await open();
      if (!cipher) return;
      for (let found = next(); found; found = next()) {
        if (ended) throw damaged(about);
        into.push(
          await cipher(found.body, frame, found.last).catch((error: unknown) => {
            throw damaged(about, error);
          }),
        );
        frame += 1;
        ended = found.last;
      }
      if (ended && rest.length > 0) throw damaged(about);
    },
    async () => {
      if (!ended) throw damaged(about);
    },
  );
}
