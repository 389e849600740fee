/**
 * What callers give for their sites, read once when it is given: authorities of their own, and certificates with which a
 * browser shows who it is. What is wrong with them is said then, and not when a page fails.
 */
import type { KeyObject, X509Certificate } from 'node:crypto';
import { PolicyError } from '../policy/policy.ts';
import { Unreadable } from './decrypt.ts';
import {
  certificatePem,
  certificatesIn,
  mostCertificates,
  type Opened,
  openKey,
  openPkcs12,
} from './key-files.ts';

/** What may be shown of a certificate. */
export interface CertificateFacts {
  subject: string;
  /** SHA-256. */
  fingerprint: string;
  validFrom: string;
  validTo: string;
}

export interface Authority extends CertificateFacts {
  pem: string;
}

export interface Identity extends CertificateFacts {
  /** https, with host and port. */
  origin: string;
  /** With those that lead up to its authority. */
  cert: string;
  key: string;
}

export interface IdentityInput {
  origin: string;
  cert?: string | undefined;
  key?: string | undefined;
  /** Base64. */
  pfx?: string | undefined;
  passphrase?: string | undefined;
}

export const mostAuthorities = 50;
/** Larger ones hold up the loop with each handshake. */
const mostRsaBits = 4096;

const factsOf = (certificate: X509Certificate): CertificateFacts => ({
  subject: (certificate.subject || certificate.subjectAltName || '').replaceAll('\n', ', ').slice(0, 500),
  fingerprint: certificate.fingerprint256,
  validFrom: certificate.validFromDate.toISOString(),
  validTo: certificate.validToDate.toISOString(),
});

function refuseExpired(certificate: X509Certificate): void {
  if (certificate.validToDate.getTime() < Date.now())
    throw new Unreadable(`has a certificate that expired at ${certificate.validToDate.toISOString()}`);
}

/** Each text may hold several; one that is there twice is kept once. */
export function readAuthorities(texts: readonly string[]): Authority[] {
  const found = new Map<string, Authority>();
  texts.forEach((text, i) => {
    const certificates = readOr([i], () => certificatesIn(text, mostAuthorities));
    for (const certificate of certificates) {
      readOr([i], () => refuseExpired(certificate));
      const facts = factsOf(certificate);
      found.set(facts.fingerprint, { pem: certificatePem(certificate), ...facts });
    }
  });
  if (found.size > mostAuthorities)
    throw new PolicyError([], `has more than ${mostAuthorities} certificates`);
  return [...found.values()];
}

export async function readIdentities(inputs: readonly IdentityInput[]): Promise<Identity[]> {
  const read: Identity[] = [];
  for (const [i, input] of inputs.entries()) read.push(await readIdentity(input, i));
  return read;
}

async function readIdentity(input: IdentityInput, i: number): Promise<Identity> {
  const { pfx, passphrase } = input;
  const opened =
    pfx === undefined
      ? await openPem(input, i)
      : await readOrLater([i, 'pfx'], () => openPkcs12(Buffer.from(pfx, 'base64'), passphrase ?? ''));
  const leaf = readOr([i, pfx === undefined ? 'cert' : 'pfx'], () => checkedLeaf(opened));
  return {
    origin: input.origin,
    cert: opened.certificates.map(certificatePem).join(''),
    key: String(opened.key.export({ type: 'pkcs8', format: 'pem' })),
    ...factsOf(leaf),
  };
}

async function openPem({ cert = '', key = '', passphrase }: IdentityInput, i: number): Promise<Opened> {
  const certificates = readOr([i, 'cert'], () => certificatesIn(cert, mostCertificates));
  return { certificates, key: await readOrLater([i, 'key'], () => openKey(key, passphrase)) };
}

function checkedLeaf({ key, certificates: [leaf] }: Opened): X509Certificate {
  if (!leaf?.checkPrivateKey(key))
    throw new Unreadable('does not belong to the key: its first certificate must');
  refuseHeavy(key);
  refuseExpired(leaf);
  return leaf;
}

function refuseHeavy({ asymmetricKeyDetails: { modulusLength = 0 } = {} }: KeyObject): void {
  if (modulusLength > mostRsaBits) throw new Unreadable(`has an RSA key of more than ${mostRsaBits} bits`);
}

const toPolicyError = (path: (string | number)[], error: unknown): unknown =>
  error instanceof Unreadable ? new PolicyError(path, error.message) : error;

function readOr<Value>(path: (string | number)[], read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw toPolicyError(path, error);
  }
}

async function readOrLater<Value>(path: (string | number)[], read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw toPolicyError(path, error);
  }
}
