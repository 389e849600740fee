/**
 * A key and the certificates beside it, out of the files in which callers have them: PEM, or PKCS #12 (`.pfx`, `.p12`). What
 * comes out is plain PEM. Node would open a PKCS #12 file too, but on the loop, again for each connection, and would trust the
 * authorities in it as well.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { decrypt, Unreadable } from './decrypt.ts';
import { type Element, elementsIn, NotDer, oidOf, pemOf, readElement, within } from './der.ts';

/** Enough for a certificate and all that lead up to its authority. */
export const mostCertificates = 10;
const mostBags = 50;

const contents = { data: '2a864886f70d010701', encrypted: '2a864886f70d010706' };
const bags = {
  key: '2a864886f70d010c0a0101',
  shroudedKey: '2a864886f70d010c0a0102',
  certificate: '2a864886f70d010c0a0103',
};

export interface Opened {
  key: KeyObject;
  certificates: X509Certificate[];
}

/** However its lines are broken; OpenSSL wants them short. */
const pemBlock = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** All of the certificates in a text, in their order. */
export function certificatesIn(text: string, most: number): X509Certificate[] {
  const blocks = [...text.matchAll(pemBlock)];
  if (blocks.length === 0) throw new Unreadable('has no certificate in PEM (-----BEGIN CERTIFICATE-----)');
  if (blocks.length > most) throw new Unreadable(`has more than ${most} certificates`);
  return blocks.map(([, body = '']) => readCertificate(Buffer.from(body, 'base64')));
}

function readCertificate(of: Buffer): X509Certificate {
  try {
    return new X509Certificate(of);
  } catch {
    throw new Unreadable('has a certificate that cannot be read');
  }
}

export async function openKey(pem: string, passphrase: string | undefined): Promise<KeyObject> {
  const [, body] =
    /-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END ENCRYPTED PRIVATE KEY-----/.exec(pem) ??
    [];
  if (body !== undefined) {
    if (passphrase === undefined) throw new Unreadable('is encrypted, and there is no `passphrase`');
    return asDer(() => openShrouded(readElement(Buffer.from(body, 'base64')), passphrase));
  }
  if (/^Proc-Type:.*ENCRYPTED/m.test(pem))
    throw new Unreadable(
      'is encrypted in the old way of OpenSSL; write it again with `openssl pkcs8 -topk8`',
    );
  return plainKey({ key: pem, format: 'pem' });
}

function plainKey(of: Parameters<typeof createPrivateKey>[0]): KeyObject {
  try {
    return createPrivateKey(of);
  } catch {
    throw new Unreadable('is no private key in PEM');
  }
}

/** EncryptedPrivateKeyInfo. */
async function openShrouded(element: Element, passphrase: string): Promise<KeyObject> {
  const opened = await decrypt(within(element, 0), within(element, 1).content, passphrase);
  try {
    return createPrivateKey({ key: opened, format: 'der', type: 'pkcs8' });
  } catch {
    // A wrong passphrase can look right until what it opened is read.
    throw new Unreadable('cannot be opened with this passphrase');
  }
}

export function openPkcs12(file: Buffer, passphrase: string): Promise<Opened> {
  return asDer(async () => {
    const found: { key?: KeyObject; certificates: X509Certificate[] } = { certificates: [] };
    for (const bag of await bagsIn(within(readElement(file), 1), passphrase)) {
      const value = within(bag, 1, 0);
      const kind = oidOf(within(bag, 0));
      if (kind === bags.certificate && found.certificates.length < mostCertificates)
        found.certificates.push(readCertificate(within(value, 1, 0).content));
      if (kind === bags.shroudedKey) found.key ??= await openShrouded(value, passphrase);
      if (kind === bags.key) found.key ??= plainKey({ key: value.raw, format: 'der', type: 'pkcs8' });
    }
    const { key, certificates } = found;
    if (!key) throw new Unreadable('has no private key in it');
    const leaf = certificates.find((each) => each.checkPrivateKey(key));
    if (!leaf) throw new Unreadable('has no certificate that belongs to its key');
    return { key, certificates: [leaf, ...certificates.filter((each) => each !== leaf)] };
  });
}

/** Of all the safes in the file, each open or locked with the passphrase. */
async function bagsIn(safe: Element, passphrase: string): Promise<Element[]> {
  const found: Element[] = [];
  if (oidOf(within(safe, 0)) !== contents.data)
    throw new Unreadable('is signed instead of locked with a passphrase');
  for (const content of elementsIn(readElement(within(safe, 1, 0).content).content)) {
    const kind = oidOf(within(content, 0));
    const inside = within(content, 1, 0);
    if (kind === contents.data) found.push(...elementsIn(readElement(inside.content).content));
    if (kind === contents.encrypted) {
      const locked = within(inside, 1);
      const opened = await decrypt(within(locked, 1), within(locked, 2).content, passphrase);
      found.push(...unlocked(opened));
    }
    if (found.length > mostBags) throw new Unreadable(`has more than ${mostBags} things in it`);
  }
  return found;
}

function unlocked(opened: Buffer): Element[] {
  try {
    return elementsIn(readElement(opened).content);
  } catch {
    throw new Unreadable('cannot be opened with this passphrase');
  }
}

async function asDer<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotDer) throw new Unreadable('cannot be read: it is damaged, or not such a file');
    throw error;
  }
}

export const certificatePem = (certificate: X509Certificate): string => pemOf('CERTIFICATE', certificate.raw);
