/**
 * The little of DER that certificates and key files need: elements in, elements out. Node reads certificates but writes none,
 * and opens a PKCS #12 file only where the loop waits for it.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { parseAddress } from '../policy/policy.ts';

export interface Element {
  tag: number;
  content: Buffer;
  /** With its tag and length. */
  raw: Buffer;
}

export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  sequence: 0x30,
} as const;

export class NotDer extends Error {}

/** The first element of these bytes; what follows it is left alone. */
export function readElement(bytes: Buffer): Element {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new NotDer('no element');
  const sizeOfLength = first < 0x80 ? 0 : first & 0x7f;
  // A length of unknown size (0x80) is BER, not DER.
  if (first === 0x80 || sizeOfLength > 4 || bytes.length < 2 + sizeOfLength) throw new NotDer('no length');
  const start = 2 + sizeOfLength;
  const end = start + (sizeOfLength === 0 ? first : bytes.readUIntBE(2, sizeOfLength));
  if (end > bytes.length) throw new NotDer('cut short');
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(0, end) };
}

export function elementsIn(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const element = readElement(rest);
    found.push(element);
    rest = rest.subarray(element.raw.length);
  }
  return found;
}

/** The element at the end of this way down: the first step is among the parts of `element`. */
export function within(element: Element, ...steps: number[]): Element {
  return steps.reduce((from, step) => {
    const found = elementsIn(from.content)[step];
    if (!found) throw new NotDer('a part is missing');
    return found;
  }, element);
}

export const oidOf = (element: Element): string => element.content.toString('hex');

/** Larger ones mean nothing here. */
export function smallInteger({ tag, content }: Element): number {
  if (tag !== tags.integer || content.length === 0 || content.length > 5)
    throw new NotDer('no small integer');
  return content.readUIntBE(0, content.length);
}

export function write(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  const head = Buffer.alloc(2 + size);
  head.writeUInt8(tag, 0);
  head.writeUInt8(0x80 | size, 1);
  head.writeUIntBE(length, 2, size);
  return Buffer.concat([head, content]);
}

export const sequence = (...parts: Buffer[]): Buffer => write(tags.sequence, ...parts);

export const objectId = (hex: string): Buffer => write(tags.objectId, Buffer.from(hex, 'hex'));

/** A string of bits that are whole bytes. */
export const bits = (bytes: Buffer): Buffer => write(tags.bitString, Buffer.from([0]), bytes);

/** The extension that names the one host a certificate is for. */
export function forHost(host: string): Buffer {
  const name =
    isIPv4(host) || isIPv6(host)
      ? write(0x87, Buffer.from(parseAddress(host)?.toByteArray() ?? []))
      : write(0x82, Buffer.from(host, 'ascii'));
  return sequence(objectId('551d11'), write(tags.octetString, sequence(name)));
}

export const pemOf = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`;
