/** The upstream proxy of a browser: parsed from what the caller wrote, shown without its password. */
import { bracketed, normalizeDomains, PolicyError, parseAuthority } from '../policy/policy.ts';

export interface Upstream {
  scheme: 'http' | 'https' | 'socks5';
  host: string;
  port: number;
  username?: string;
  password?: string;
  /** Hosts (with their subdomains) that are reached directly, under the same policy. */
  bypass?: string[];
}

export type UpstreamInput =
  | string
  | { server: string; username?: string; password?: string; bypass?: readonly string[] };

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const;
const schemeOf = new Map<string, Upstream['scheme']>([
  ['http', 'http'],
  ['https', 'https'],
  ['socks5', 'socks5'],
  ['socks5h', 'socks5'],
]);

export function parseUpstream(input: UpstreamInput): Upstream {
  const written = typeof input === 'string' ? { server: input } : input;
  const path = typeof input === 'string' ? [] : ['server'];
  const { scheme, userinfo, authority } = splitServer(written.server, path);
  const place = parseAuthority(authority);
  if (place === undefined) throw new PolicyError(path, 'the host or port of the proxy is not valid');
  const username = written.username ?? decode(userinfo?.replace(/:.*$/s, ''), path);
  const password =
    written.password ?? decode(userinfo?.includes(':') ? userinfo.replace(/^[^:]*:/, '') : undefined, path);
  checkCredentials(scheme, username, password, path);
  return {
    scheme,
    host: place.host,
    port: place.port ?? defaultPorts[scheme],
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(written.bypass && { bypass: normalizeDomains(written.bypass, ['bypass']) }),
  };
}

/** Never repeats what the caller wrote: it may hold a password. */
function splitServer(
  server: string,
  path: string[],
): { scheme: Upstream['scheme']; userinfo?: string; authority: string } {
  const whole = server.includes('://') ? server : `http://${server}`;
  const [, name, userinfo, authority] =
    /^([a-z0-9]+):\/\/(?:([^/?#\s]*)@)?([^/?#\s@]+)\/?$/i.exec(whole) ?? [];
  const scheme = schemeOf.get(name?.toLowerCase() ?? '');
  if (scheme === undefined || authority === undefined) {
    throw new PolicyError(
      path,
      'expected a proxy URL such as http://user:password@host:3128 (http, https or socks5)',
    );
  }
  return userinfo === undefined ? { scheme, authority } : { scheme, userinfo, authority };
}

function decode(text: string | undefined, path: string[]): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new PolicyError(path, 'the user name or password has a broken %-escape');
  }
}

function checkCredentials(
  scheme: Upstream['scheme'],
  username: string | undefined,
  password: string | undefined,
  path: string[],
): void {
  if (password !== undefined && !username) throw new PolicyError(path, 'a password needs a user name');
  if (scheme !== 'socks5' && username?.includes(':')) {
    throw new PolicyError(path, 'HTTP proxies cannot take a user name with a colon');
  }
  const tooLong = [username, password].some((text) => Buffer.byteLength(text ?? '') > 255);
  if (scheme === 'socks5' && tooLong) {
    throw new PolicyError(path, 'SOCKS5 takes a user name and password of at most 255 bytes each');
  }
}

export function describeUpstream(upstream: Upstream): {
  server: string;
  username?: string;
  bypass?: string[];
} {
  const { scheme, host, port, username, bypass } = upstream;
  return {
    server: `${scheme}://${bracketed(host)}:${port}`,
    ...(username !== undefined && { username }),
    ...(bypass && { bypass }),
  };
}

export const basicAuthorization = ({ username, password }: Upstream): string | undefined =>
  username === undefined
    ? undefined
    : `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;

/** Whether a connection through one is the same as through the other; the bypass list is checked per host. */
export const isSameUpstream = (one: Upstream | undefined, other: Upstream | undefined): boolean =>
  (['scheme', 'host', 'port', 'username', 'password'] as const).every(
    (part) => one?.[part] === other?.[part],
  );
