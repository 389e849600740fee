/**
 * A CRX is a ZIP file behind a signed head. The head is read for the public key alone, from which Chromium makes the id that
 * the extension has in the store. The signature is not checked: a caller who may upload a CRX may upload a ZIP as well.
 *
 *   "Cr24" · 3 · length of the head · head (protobuf) · ZIP
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { unusable } from './unusable.ts';
import { bytesAt } from './zip.ts';

const longestHead = 256 * 1024;
/** Fields of the head (2 and 3: proofs by RSA and by ECDSA), of a proof, and of what is signed. */
const fields = { proofs: [2, 3], signed: 10_000, publicKey: 1, crxId: 1 };

/** Where the ZIP begins, and the key of a CRX. */
export async function findZip(
  file: FileHandle,
  size: number,
): Promise<{ start: number; publicKey?: Buffer | undefined }> {
  if (size < 22) throw unusable('The package is no ZIP file and no CRX: it is empty.');
  const head = await bytesAt(file, 0, 12);
  const magic = head.toString('latin1', 0, 4);
  if (magic.startsWith('PK')) return { start: 0 };
  if (magic !== 'Cr24') throw unusable('The package is no ZIP file and no CRX.');
  const version = head.readUInt32LE(4);
  if (version !== 3)
    throw unusable(`The package is a CRX of version ${version}. Pack it anew, as version 3.`);
  const length = head.readUInt32LE(8);
  if (length > longestHead || 12 + length > size) throw unusable('The head of the CRX is damaged.');
  return { start: 12 + length, publicKey: keyIn(await bytesAt(file, 12, length)) };
}

/** The one that the id of the CRX comes of: the store adds a proof of its own. */
function keyIn(head: Buffer): Buffer | undefined {
  const all = [...readFields(head)];
  const signed = all.find(({ number }) => number === fields.signed)?.bytes;
  const crxId = signed && [...readFields(signed)].find(({ number }) => number === fields.crxId)?.bytes;
  const keys = all
    .filter(({ number }) => fields.proofs.includes(number))
    .flatMap(({ bytes }) => [...readFields(bytes)].filter(({ number }) => number === fields.publicKey));
  return keys.find(({ bytes }) => crxId?.equals(createHash('sha256').update(bytes).digest().subarray(0, 16)))
    ?.bytes;
}

/** Fields with a length, which is all that such a head consists of. */
function* readFields(message: Buffer): Generator<{ number: number; bytes: Buffer }> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw unusable('The head of the CRX is damaged.');
  };
  while (at < message.length) {
    const tag = varint();
    const length = varint();
    if (tag % 8 !== 2 || at + length > message.length) throw unusable('The head of the CRX is damaged.');
    yield { number: Math.floor(tag / 8), bytes: message.subarray(at, at + length) };
    at += length;
  }
}
