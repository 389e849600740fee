/** One spelling for everything a policy can say, with the place of the fault where it makes no sense. */
import { formatCidr, parseAddress, parseCidr } from './address.ts';
import { isAddress, normalizeHost } from './host.ts';
import { normalizeOrigin } from './origin.ts';
import type { PrivateAccess } from './private-access.ts';

export interface EgressPolicy {
  allowedDomains?: readonly string[];
  blockedDomains?: readonly string[];
  allowedOrigins?: readonly string[];
  blockedOrigins?: readonly string[];
  privateAccess?: false | PrivateAccess | undefined;
}

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
export const normalizeDomain = (entry: string): string | undefined => {
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
  if (policy.privateAccess) normal.privateAccess = normalizePrivateAccess(policy.privateAccess);
  return normal as P;
}

function normalizePrivateAccess(access: PrivateAccess): PrivateAccess {
  const { domains, cidrs } = access;
  return {
    ...access,
    ...(domains && { domains: normalizeDomains(domains, ['privateAccess', 'domains']) }),
    ...(cidrs && { cidrs: normalizeCidrs(cidrs, ['privateAccess', 'cidrs']) }),
  };
}

/** `localhost, 10.0.0.0/8, 192.168.1.7, hooks.internal`, as operators write it. */
export function privateAccessIn(entries: readonly string[]): PrivateAccess {
  const isLocal = (entry: string): boolean => entry.toLowerCase() === 'localhost';
  const isRange = (entry: string): boolean => entry.includes('/') || parseAddress(entry) !== undefined;
  const rest = entries.filter((entry) => !isLocal(entry));
  return normalizePrivateAccess({
    localhost: entries.some(isLocal),
    cidrs: rest.filter(isRange),
    domains: rest.filter((entry) => !isRange(entry)),
  });
}
