/**
 * What became of the last connection to each place. Chromium takes the exit for the other end of every connection, and every
 * failure for one of its proxy; clients that would see that are told what is known here instead.
 */
import type { Socket } from 'node:net';
import { parseAuthority, type Target } from '../policy/policy.ts';
import type { NetError } from '../way/way.ts';

export interface Outcome {
  /** The other end of the last connection: the site, or the upstream proxy on the way to it. */
  address?: { ip: string; port: number };
  /** The upstream proxy that the last one went through. */
  proxy?: string | undefined;
  /** Why the last one that failed did, unless the policy refused it. */
  netError?: NetError | undefined;
  /** On the last one, the exit spoke TLS with the site itself. */
  vouched?: true | undefined;
  /** What was wrong with the certificate of the last one, where the exit knows more of it than Chromium. */
  certificateError?: NetError | undefined;
}

/** A page can name places without end. */
const mostPlaces = 500;
const longestOrigin = 400;
const defaultPorts: Record<string, number> = { http: 80, ws: 80, https: 443, wss: 443 };

export class Outcomes {
  readonly #places = new Map<string, Outcome>();
  /** Spelled as in addresses: asked for with every answer, and dear to work out. */
  readonly #names = new Map<string, string>();

  reached(target: Target, { remoteAddress: ip, remotePort: port }: Socket, proxy?: string): void {
    if (ip !== undefined && port !== undefined)
      this.#note(target, { address: { ip, port }, proxy, certificateError: undefined, vouched: undefined });
  }

  vouched(target: Target): void {
    this.#note(target, { vouched: true });
  }

  mistrusted(target: Target, certificateError: NetError): void {
    this.#note(target, { certificateError });
  }

  failed(target: Target, netError: NetError | undefined): void {
    this.#note(target, { netError });
  }

  /** Of the place that this address leads to. */
  at(url: string): Outcome | undefined {
    const [origin = '', scheme = '', authority = ''] =
      /^(https?|wss?):\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(headOf(url)) ?? [];
    let name = this.#names.get(origin);
    if (name === undefined) {
      const place = parseAuthority(authority);
      if (!place) return undefined;
      name = nameOf(place.host, place.port ?? defaultPorts[scheme.toLowerCase()]);
      if (this.#names.size === mostPlaces) this.#names.clear();
      this.#names.set(origin, name);
    }
    return this.#places.get(name);
  }

  #note({ host, port }: Target, news: Outcome): void {
    const name = nameOf(host, port);
    const outcome = { ...this.#places.get(name), ...news };
    this.#places.delete(name);
    this.#places.set(name, outcome);
    if (this.#places.size <= mostPlaces) return;
    const [oldest = ''] = this.#places.keys();
    this.#places.delete(oldest);
  }
}

/** A copy: what is kept of a long address would keep all of it in memory. */
const headOf = (url: string): string =>
  url.length > longestOrigin ? Buffer.from(url.slice(0, longestOrigin)).toString() : url;

const nameOf = (host: string, port: number | undefined): string => `${port} ${host}`;
