/**
 * One spelling for every host, by the rules browsers use (WHATWG URL): 0x7f.1, 2130706433, １２７.０.０.１, lo­calhost
 * and 127。0。0。1 all become what they mean, before any rule looks at them.
 *
 *   name   lower case, punycode, no trailing dot      IPv4   dotted      IPv6   compressed, without brackets
 */
import { isIPv6 } from 'node:net';
import { parseAddress } from './address.ts';

/** Characters that would end the host in a URL or hide another one in it, and control characters. */
const notInHost = /[\p{Cc} /\\?#@:<>^|[\]]/u;
const label = /^[a-z0-9_-]{1,63}$/;

export function normalizeHost(text: string): string | undefined {
  if (text.length === 0 || text.length > 1000) return undefined;
  const bare = /^\[([0-9a-f:.]+)\]$/i.exec(text)?.[1] ?? text;
  if (isIPv6(bare)) return bare.includes('%') ? undefined : parseAddress(bare)?.toString();
  if (notInHost.test(text)) return undefined;
  const host = URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, '');
  if (host === undefined || host.length > 253) return undefined;
  return host.split('.').every((part) => label.test(part)) ? host : undefined;
}

export const isAddress = (host: string): boolean => parseAddress(host) !== undefined;

/** RFC 6761: these names mean the machine itself and are never asked of a name server. */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** `example.com:8080`, `[::1]:80`; without a port the port is undefined, with a wrong one everything is. */
export function parseAuthority(text: string): { host: string; port?: number } | undefined {
  const [, written, digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/.exec(text) ?? [];
  if (written === undefined) return undefined;
  const host = normalizeHost(written);
  if (host === undefined) return undefined;
  if (digits === undefined) return { host };
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Normalised hosts; a name covers itself and its subdomains, an address only itself. */
export class HostSet {
  readonly #hosts: Set<string>;

  constructor(hosts: Iterable<string>) {
    this.#hosts = new Set(hosts);
  }

  get size(): number {
    return this.#hosts.size;
  }

  has(host: string): boolean {
    return this.#hosts.has(host);
  }

  covers(host: string): boolean {
    if (this.#hosts.size === 0) return false;
    if (this.#hosts.has(host)) return true;
    if (isAddress(host)) return false;
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      if (this.#hosts.has(host.slice(dot + 1))) return true;
    }
    return false;
  }
}
