/**
 * Which sites of a browser the exit looks at itself: those that it has a certificate to show to, and, while it has authorities
 * of its own, all that are not known to do without them. Chromium reads neither once it runs.
 *
 *   certificate for this host and port ──> always
 *   authorities ──> the first connection finds out: signed by one of them? ──no──> Chromium looks by itself, for some minutes
 */
import { constants, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Target } from '../policy/policy.ts';
import type { Authority, Identity } from './given.ts';

/** What a browser's owner said about its sites. */
export interface SiteTrust {
  authorities?: readonly Pick<Authority, 'pem' | 'fingerprint'>[] | undefined;
  identities?: readonly Pick<Identity, 'origin' | 'cert' | 'key' | 'fingerprint'>[] | undefined;
  /** Hosts, as in addresses, whose certificates need not hold. */
  unchecked?: readonly string[] | undefined;
}

/** How a site is looked at: what vouches for it, and what it is shown. */
export interface Check {
  /** The authorities of the browser's owner, or those that Node itself trusts. */
  by: 'ours' | 'usual';
  context: SecureContext;
  /** Its certificate need not hold. */
  lenient: boolean;
}

/** A page can name hosts without end. */
const mostPlaces = 500;
/** How long Chromium looks by itself at a site that none of the authorities has signed. */
const notOursMs = 5 * 60_000;
/** The same where no certificate was seen: it may have been the network. */
const notSeenMs = 15_000;

type Place = Pick<Target, 'host' | 'port'>;
const nameOf = ({ host, port }: Place): string => `${port} ${host}`;
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
const placeOf = (origin: string): Place => {
  const { hostname, port } = new URL(origin);
  return { host: bare(hostname), port: Number(port) || 443 };
};

export class Sites {
  readonly #authorities: NonNullable<SiteTrust['authorities']>;
  readonly #identities: ReadonlyMap<string, NonNullable<SiteTrust['identities']>[number]>;
  readonly #unchecked: ReadonlySet<string>;
  readonly #contexts = new Map<string, SecureContext>();
  /** Until when Chromium looks by itself; infinite: one of the authorities has signed it. */
  readonly #known = new Map<string, number>();
  readonly #finding = new Map<string, Promise<void>>();
  #anchors: X509Certificate[] | undefined;

  constructor({ authorities = [], identities = [], unchecked = [] }: SiteTrust = {}) {
    this.#authorities = authorities;
    this.#identities = new Map(identities.map((each) => [nameOf(placeOf(each.origin)), each]));
    this.#unchecked = new Set(unchecked.map(bare));
  }

  /** Whether the exit looks at it before Chromium does. */
  concern(place: Place): boolean {
    if (this.#identities.has(nameOf(place))) return true;
    if (this.#authorities.length === 0) return false;
    return !this.#isNotOurs(nameOf(place));
  }

  #isNotOurs(name: string): boolean {
    const until = this.#known.get(name);
    return until !== undefined && Number.isFinite(until) && until >= Date.now();
  }

  /** One after the other, each on a connection of its own, until one holds. */
  checksFor(place: Place): Check[] {
    const identity = this.#identities.get(nameOf(place));
    const lenient = identity !== undefined && this.#unchecked.has(place.host);
    const mayBeOurs = this.#authorities.length > 0 && !this.#isNotOurs(nameOf(place));
    const ways: Check['by'][] = mayBeOurs ? ['ours'] : [];
    if (identity && !(mayBeOurs && lenient)) ways.push('usual');
    return ways.map((by) => ({ by, context: this.#contextOf(by, identity), lenient }));
  }

  /**
   * While nothing is known of a place, one connection finds out, until this is disposed, and the others to it wait. When their
   * turn comes it may no longer be a concern.
   */
  async find(place: Place): Promise<Disposable> {
    const name = nameOf(place);
    for (let first = this.#finding.get(name); first; first = this.#finding.get(name)) await first;
    if (this.#known.has(name) || this.#identities.has(name)) return { [Symbol.dispose]: () => undefined };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#finding.set(name, promise);
    return {
      [Symbol.dispose]: () => {
        this.#finding.delete(name);
        resolve();
      },
    };
  }

  /** What came of looking; `invalid` is kept by none: it may be mended at any moment. */
  note(place: Place, found: 'ours' | 'notOurs' | 'notSeen' | 'invalid'): void {
    const name = nameOf(place);
    this.#known.delete(name);
    if (found === 'invalid') return;
    const spans = { ours: Number.POSITIVE_INFINITY, notOurs: notOursMs, notSeen: notSeenMs };
    this.#known.set(name, Date.now() + spans[found]);
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > mostPlaces) this.#known.delete(oldest);
  }

  /** Whether one of the authorities, or one of them itself, is in this chain. */
  isOurs(leaf: X509Certificate): boolean {
    this.#anchors ??= this.#authorities.map(({ pem }) => new X509Certificate(pem));
    for (
      let at: X509Certificate | undefined = leaf, steps = 0;
      at && steps < 10;
      at = at.issuerCertificate, steps++
    ) {
      const certificate = at;
      if (this.#anchors.some((anchor) => isSignedBy(certificate, anchor))) return true;
    }
    return false;
  }

  /** Whether a connection that was opened under these may stay under those; `vouched`: the exit speaks for its site. */
  allowUnder(now: Sites, place: Place, vouched: boolean): boolean {
    const name = nameOf(place);
    const [before, after] = [this.#identities.get(name), now.#identities.get(name)];
    if (before?.fingerprint !== after?.fingerprint) return false;
    if (!vouched) return true;
    const still = new Set(now.#authorities.map(({ fingerprint }) => fingerprint));
    const isLenient = (sites: Sites): boolean => sites.#unchecked.has(place.host);
    return (
      this.#authorities.every(({ fingerprint }) => still.has(fingerprint)) &&
      (!isLenient(this) || isLenient(now))
    );
  }

  #contextOf(by: Check['by'], identity: { origin: string; cert: string; key: string } | undefined) {
    const name = `${by} ${identity?.origin}`;
    const known = this.#contexts.get(name);
    if (known) return known;
    const context = createSecureContext({
      // Who the site is was checked once, in the handshake.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      ...(by === 'ours' && { ca: this.#authorities.map(({ pem }) => pem), allowPartialTrustChain: true }),
      ...(identity && { cert: identity.cert, key: identity.key }),
    });
    this.#contexts.set(name, context);
    return context;
  }
}

const isSignedBy = (certificate: X509Certificate, anchor: X509Certificate): boolean =>
  certificate.fingerprint256 === anchor.fingerprint256 ||
  (certificate.checkIssued(anchor) && certificate.verify(anchor.publicKey));
