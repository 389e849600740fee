/**
 * Origins as policy entries: scheme + host + port, exact.
 *
 * What the proxy sees of a request is less than its scheme: https, wss and (in Chromium) ws all arrive as CONNECT.
 * So a `tunnel` to host:port matches an entry of any scheme for that host:port; a plain request matches `http`; a
 * WebSocket matches its own scheme and that of the page's origin (ws by http, wss by https), as in a CSP.
 */
import { bracketed, parseAuthority } from './host.ts';

type OriginScheme = 'http' | 'https' | 'ws' | 'wss';

export interface Target {
  /** `tunnel` is a CONNECT, whose inner scheme only the browser knows. */
  scheme: OriginScheme | 'tunnel';
  /** As `normalizeHost` gives it. */
  host: string;
  port: number;
}

const defaultPorts: Record<OriginScheme, number> = { http: 80, https: 443, ws: 80, wss: 443 };
const pageScheme: Record<OriginScheme, OriginScheme> = {
  http: 'http',
  https: 'https',
  ws: 'http',
  wss: 'https',
};

/** `HTTPS://Example.com:443/` → https://example.com; undefined for what is not an origin. */
export function normalizeOrigin(text: string): string | undefined {
  const [, written, authority] = /^([a-z]+):\/\/([^/?#\\]+)\/?$/i.exec(text) ?? [];
  const scheme = written?.toLowerCase();
  if (authority === undefined || !isOriginScheme(scheme)) return undefined;
  const place = parseAuthority(authority);
  if (place === undefined) return undefined;
  const port = place.port === undefined || place.port === defaultPorts[scheme] ? '' : `:${place.port}`;
  return `${scheme}://${bracketed(place.host)}${port}`;
}

const isOriginScheme = (scheme: string | undefined): scheme is OriginScheme =>
  scheme !== undefined && Object.hasOwn(defaultPorts, scheme);

/** How a target is shown: a tunnel as the origin it most likely is. */
export function showTarget({ scheme, host, port }: Target): string {
  const shown = scheme !== 'tunnel' ? scheme : port === 80 ? 'ws' : 'https';
  return `${shown}://${bracketed(host)}:${port}`;
}

/** Built from normalised origins. */
export class OriginSet {
  readonly #origins = new Set<string>();
  readonly #places = new Set<string>();

  constructor(origins: Iterable<string>) {
    for (const origin of origins) {
      const scheme = origin.slice(0, origin.indexOf(':')) as OriginScheme;
      const authority = origin.slice(scheme.length + 3);
      const place = /:\d+$/.test(authority.replace(/^\[.*\]/, ''))
        ? authority
        : `${authority}:${defaultPorts[scheme]}`;
      this.#places.add(place);
      this.#origins.add(`${scheme}://${place}`);
    }
  }

  get size(): number {
    return this.#places.size;
  }

  matches({ scheme, host, port }: Target): boolean {
    if (this.#places.size === 0) return false;
    const place = `${bracketed(host)}:${port}`;
    if (scheme === 'tunnel') return this.#places.has(place);
    return this.#origins.has(`${scheme}://${place}`) || this.#origins.has(`${pageScheme[scheme]}://${place}`);
  }
}
