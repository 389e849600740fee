/** For tests: authorities, and certificates that they sign, made on the spot. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { bits, forHost, objectId, pemOf, sequence, write } from './der.ts';

interface Wanted {
  /** The name of its subject. */
  name?: string;
  /** The one host that it is for; absent: it names none. */
  host?: string;
  from?: Date;
  to?: Date;
}

export interface Made {
  cert: string;
  key: string;
}

interface TestAuthority extends Made {
  issue(wanted: Wanted): Made;
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const day = 86_400_000;
let serials = 1000;

const nameOf = (text: string): Buffer =>
  sequence(write(0x31, sequence(objectId('550403'), write(0x0c, Buffer.from(text)))));
const time = (at: Date): Buffer =>
  write(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
const isAuthority = sequence(
  objectId('551d13'),
  write(0x01, Buffer.from([0xff])),
  write(0x04, sequence(write(0x01, Buffer.from([0xff])))),
);

function certificate(
  { name = 'a site', host, from = new Date(Date.now() - day), to = new Date(Date.now() + day) }: Wanted,
  of: { key: KeyObject; issuer: string; by: KeyObject; extensions?: Buffer[] },
): string {
  const extensions = [...(of.extensions ?? []), ...(host === undefined ? [] : [forHost(host)])];
  const body = sequence(
    write(0xa0, write(0x02, Buffer.from([2]))),
    write(0x02, Buffer.from([serials >> 8, serials++ & 255])),
    ecdsaWithSha256,
    nameOf(of.issuer),
    sequence(time(from), time(to)),
    nameOf(name),
    createPublicKey(of.key as never).export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [write(0xa3, sequence(...extensions))] : []),
  );
  return pemOf('CERTIFICATE', sequence(body, ecdsaWithSha256, bits(sign('sha256', body, of.by))));
}

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const pem = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

export function makeAuthority(name: string, valid: Pick<Wanted, 'from' | 'to'> = {}): TestAuthority {
  const own = newKey();
  const cert = certificate(
    { name, ...valid },
    { key: own, issuer: name, by: own, extensions: [isAuthority] },
  );
  return {
    cert,
    key: pem(own),
    issue(wanted) {
      const key = newKey();
      return { cert: certificate(wanted, { key, issuer: name, by: own }), key: pem(key) };
    },
  };
}
