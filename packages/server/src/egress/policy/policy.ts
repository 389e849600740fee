/**
 * Where a browser may go. Pure: no clock, no network.
 *
 *   target ──decideHost──> name rules ──(DNS)──> decideAddress, for every address of the answer ──> dial
 *
 * Both answer with the rule that refuses, or undefined. Blocked beats allowed; domains and origins of the
 * allow-list count together; private addresses need `privateAccess` as well as the allow-list. A metadata
 * address opens only to a CIDR that names exactly that address (/32 or /128): no range and no domain does.
 */
import {
  addressesIn,
  type Cidr,
  formatCidr,
  inCidr,
  isExactly,
  kindOf,
  parseAddress,
  parseCidr,
} from './address.ts';
import { HostSet, isAddress, isLocalhost, normalizeHost } from './host.ts';
import { normalizeOrigin, OriginSet, type Target } from './origin.ts';

export { parseAddress } from './address.ts';
export { isBackgroundHost } from './background.ts';
export { bracketed, HostSet, isAddress, isLocalhost, normalizeHost, parseAuthority } from './host.ts';
export { showTarget, type Target } from './origin.ts';
export { claimExitPort, isOwnListener, isOwnPort, type Listener } from './own-listeners.ts';

export interface EgressPolicy {
  allowedDomains?: readonly string[];
  blockedDomains?: readonly string[];
  allowedOrigins?: readonly string[];
  blockedOrigins?: readonly string[];
  privateAccess?:
    | false
    | { domains?: readonly string[]; cidrs?: readonly string[]; localhost?: boolean }
    | undefined;
}

export type Rule =
  | 'not_allowed_yet'
  | 'invalid_host'
  | 'invalid_port'
  | 'unsupported_scheme'
  | 'background_service'
  | 'blocked_domain'
  | 'blocked_origin'
  | 'not_in_allow_list'
  | 'invalid_address'
  | 'private_address'
  | 'private_name'
  | 'metadata_address'
  | 'own_listener';

/** A policy or proxy that makes no sense; `path` leads to the field from the policy (or proxy) down. */
export class PolicyError extends Error {
  readonly path: (string | number)[];
  readonly reason: string;

  constructor(path: (string | number)[], reason: string) {
    super(path.length === 0 ? reason : `${path.join('.')}: ${reason}`);
    this.name = 'PolicyError';
    this.path = path;
    this.reason = reason;
  }
}

/** A normalised policy made ready for quick answers. */
export interface Rules {
  allowedDomains: HostSet;
  blockedDomains: HostSet;
  allowedOrigins: OriginSet;
  blockedOrigins: OriginSet;
  privateDomains: HostSet;
  privateCidrs: Cidr[];
}

const loopback = ['127.0.0.0/8', '::1/128'].map((text) => parseCidr(text)!);

/** Names that by their registration can only mean a private network; decisive where the address is not known here. */
const privateNames = new HostSet(['internal', 'local', 'localdomain', 'home.arpa', 'metadata.goog']);

function each(
  list: readonly string[],
  path: string[],
  normalize: (entry: string) => string | undefined,
  expected: string,
): string[] {
  const entries = list.map((entry, i) => {
    const normal = normalize(entry);
    if (normal === undefined)
      throw new PolicyError([...path, i], `${JSON.stringify(entry)} is not ${expected}`);
    return normal;
  });
  return [...new Set(entries)];
}

/** `*.example.com` says the same as `example.com`: an entry covers the host and its subdomains. */
const normalizeDomain = (entry: string): string | undefined => {
  const host = normalizeHost(entry.replace(/^\*\./, ''));
  return host !== undefined && entry.startsWith('*.') && isAddress(host) ? undefined : host;
};

export const normalizeDomains = (list: readonly string[], path: string[]): string[] =>
  each(
    list,
    path,
    normalizeDomain,
    'a host such as example.com, *.example.com or 192.0.2.7 (no scheme, port or path)',
  );

const normalizeOrigins = (list: readonly string[], path: string[]): string[] =>
  each(
    list,
    path,
    normalizeOrigin,
    'an origin such as https://example.com:8443 (http, https, ws or wss; no path)',
  );

const normalizeCidrs = (list: readonly string[], path: string[]): string[] =>
  each(
    list,
    path,
    (entry) => {
      const cidr = parseCidr(entry);
      return cidr && formatCidr(cidr);
    },
    'an address range such as 10.0.0.0/8 or fd00::/8',
  );

/** The same policy in one spelling; other fields pass through. Throws `PolicyError` on nonsense. */
export function normalizePolicy<P extends EgressPolicy>(policy: P): P {
  const normal: EgressPolicy = { ...policy };
  for (const field of ['allowedDomains', 'blockedDomains'] as const) {
    if (policy[field] !== undefined) normal[field] = normalizeDomains(policy[field], [field]);
  }
  for (const field of ['allowedOrigins', 'blockedOrigins'] as const) {
    if (policy[field] !== undefined) normal[field] = normalizeOrigins(policy[field], [field]);
  }
  if (policy.privateAccess) {
    const { domains, cidrs } = policy.privateAccess;
    normal.privateAccess = {
      ...policy.privateAccess,
      ...(domains && { domains: normalizeDomains(domains, ['privateAccess', 'domains']) }),
      ...(cidrs && { cidrs: normalizeCidrs(cidrs, ['privateAccess', 'cidrs']) }),
    };
  }
  return normal as P;
}

export function readPolicy(policy: EgressPolicy): Rules {
  const normal = normalizePolicy(policy);
  const access = normal.privateAccess || {};
  return {
    allowedDomains: new HostSet(normal.allowedDomains ?? []),
    blockedDomains: new HostSet(normal.blockedDomains ?? []),
    allowedOrigins: new OriginSet(normal.allowedOrigins ?? []),
    blockedOrigins: new OriginSet(normal.blockedOrigins ?? []),
    privateDomains: new HostSet(access.domains ?? []),
    privateCidrs: [
      ...(access.cidrs ?? []).map((text) => parseCidr(text)!),
      ...(access.localhost ? loopback : []),
    ],
  };
}

export function decideHost(rules: Rules, target: Target): Rule | undefined {
  if (rules.blockedDomains.covers(target.host)) return 'blocked_domain';
  if (rules.blockedOrigins.matches(target)) return 'blocked_origin';
  if (rules.allowedDomains.size === 0 && rules.allowedOrigins.size === 0) return undefined;
  if (rules.allowedDomains.covers(target.host) || rules.allowedOrigins.matches(target)) return undefined;
  return 'not_in_allow_list';
}

export function decideAddress(rules: Rules, target: Target, address: string): Rule | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return 'invalid_address';
  const named = rules.privateDomains.covers(target.host);
  for (const each of addressesIn(parsed)) {
    if (rules.blockedDomains.has(each.toString())) return 'blocked_domain';
    const kind = kindOf(each);
    if (kind === 'metadata') {
      if (!rules.privateCidrs.some((cidr) => isExactly(each, cidr))) return 'metadata_address';
    } else if (kind !== 'public' && !named) {
      if (!rules.privateCidrs.some((cidr) => inCidr(each, cidr))) return 'private_address';
    }
  }
  return undefined;
}

/** For a host that an upstream proxy will resolve: literals by address, names by their text. */
export function decideUnresolved(rules: Rules, target: Target): Rule | undefined {
  if (isAddress(target.host)) return decideAddress(rules, target, target.host);
  if (isLocalhost(target.host)) return decideAddress(rules, target, '127.0.0.1');
  const known = privateNames.covers(target.host) || !target.host.includes('.');
  return known && !rules.privateDomains.covers(target.host) ? 'private_name' : undefined;
}
