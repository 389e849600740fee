/**
 * The one key that a Chromium takes every certificate of as good, whatever else it says; it is told so at its start. The key
 * is made for one Chromium, is in memory only and never leaves the service, so that no other browser and no other program
 * believes what is signed with it. It must stay one for each Chromium: Chromium looks for the key anywhere in the chain that
 * a server sends, so what a caller could learn of it in a browser of its own must be of no use against the browser of another.
 */
import { createHash, generateKeyPairSync, sign, type X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { bits, elementsIn, forHost, objectId, pemOf, readElement, sequence, within, write } from './der.ts';

/** Hosts whose certificates are kept; a page can name hosts without end. */
const mostKept = 100;

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const version3 = write(0xa0, write(0x02, Buffer.from([2])));
/** In a certificate, below its first part. */
const versionTag = 0xa0;

export class Voucher {
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #publicKey = this.#key.publicKey.export({ type: 'spki', format: 'der' });
  readonly #kept = new Map<string, SecureContext>();

  /** Of the public key, as Chromium wants it on its command line. */
  get keyHash(): string {
    return createHash('sha256').update(this.#publicKey).digest('base64');
  }

  /** For a server that stands in for this host, whose own certificate has been checked. */
  contextFor(host: string, site: X509Certificate): SecureContext {
    const name = `${host} ${site.fingerprint256}`;
    const known = this.#kept.get(name);
    if (known) return known;
    const [oldest = ''] = this.#kept.keys();
    if (this.#kept.size >= mostKept) this.#kept.delete(oldest);
    const context = createSecureContext({
      key: this.#key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: pemOf('CERTIFICATE', this.certificateFor(host, site.raw)),
    });
    this.#kept.set(name, context);
    return context;
  }

  /**
   * Who it is for, who signed it and until when it holds are those of the site's own, which is what clients read in Chromium.
   * Names it has one only: Chromium must not take the connection for one to a neighbour that the site's certificate is good for.
   */
  certificateFor(host: string, site: Buffer): Buffer {
    const parts = elementsIn(within(readElement(site), 0).content).map(({ tag, raw }) => ({ tag, raw }));
    const [serial, , issuer, validity, subject] = parts[0]?.tag === versionTag ? parts.slice(1) : parts;
    if (!serial || !issuer || !validity || !subject) throw new Error('not a certificate');
    const body = sequence(
      version3,
      serial.raw,
      ecdsaWithSha256,
      issuer.raw,
      validity.raw,
      subject.raw,
      this.#publicKey,
      write(0xa3, sequence(forHost(host))),
    );
    return sequence(body, ecdsaWithSha256, bits(sign('sha256', body, this.#key.privateKey)));
  }
}
