/**
 * Where a browser may go. Pure: no clock, no network.
 *
 *   target ──decideHost──> name rules ──(DNS)──> decideAddress, for every address of the answer ──> dial
 *
 * Both answer with the rule that refuses, or undefined. Blocked beats allowed; domains and origins of the
 * allow-list count together; private addresses need `privateAccess` and the operator's ceiling as well as the allow-list.
 * Metadata addresses never open: they hand the machine's own credentials to any client.
 */
import { addressesIn, kindOf, parseAddress } from './address.ts';
import { HostSet, isAddress, isLocalhost, normalizeHost } from './host.ts';
import { type EgressPolicy, normalizePolicy } from './normalize.ts';
import { OriginSet, type Target } from './origin.ts';
import { isServicePort, type PrivateReach, reaches, reachOf } from './private-access.ts';

export { isPublic, parseAddress } from './address.ts';
export { isBackgroundHost } from './background.ts';
export { type Ceiling, openCeiling } from './ceiling.ts';
export { bracketed, HostSet, isAddress, isLocalhost, normalizeHost, parseAuthority } from './host.ts';
export {
  type EgressPolicy,
  normalizeDomain,
  normalizeDomains,
  normalizePolicy,
  PolicyError,
  privateAccessIn,
} from './normalize.ts';
export { showTarget, type Target } from './origin.ts';
export { claimExitPort, isOwnListener, isOwnPort, type Listener } from './own-listeners.ts';
export { entryAbove, type PrivateReach } from './private-access.ts';

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
  | 'private_port'
  | 'above_ceiling'
  | 'metadata_address'
  | 'own_listener';

/** A normalised policy made ready for quick answers. */
export interface Rules {
  allowedDomains: HostSet;
  blockedDomains: HostSet;
  allowedOrigins: OriginSet;
  blockedOrigins: OriginSet;
  private: PrivateReach;
  /** The operator's; absent where the operator wrote the policy. */
  ceiling?: PrivateReach | undefined;
}

/** Names that by registration or custom can only mean a private network; decisive where the address is not known here. */
const privateNames = new HostSet([
  ...['internal', 'intranet', 'lan', 'local', 'localdomain', 'home.arpa', 'corp', 'private'],
  ...['svc', 'cluster.local', 'metadata.goog'],
]);

export function readPolicy(policy: EgressPolicy, ceiling?: PrivateReach): Rules {
  const normal = normalizePolicy(policy);
  return {
    allowedDomains: new HostSet(normal.allowedDomains ?? []),
    blockedDomains: new HostSet(normal.blockedDomains ?? []),
    allowedOrigins: new OriginSet(normal.allowedOrigins ?? []),
    blockedOrigins: new OriginSet(normal.blockedOrigins ?? []),
    private: reachOf(normal.privateAccess),
    ceiling,
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
  for (const each of addressesIn(parsed)) {
    if (rules.blockedDomains.has(each.toString())) return 'blocked_domain';
    const kind = kindOf(each);
    if (kind === 'public') continue;
    if (kind === 'metadata') return 'metadata_address';
    if (!reaches(rules.private, target.host, each)) return 'private_address';
    if (rules.ceiling && !reaches(rules.ceiling, target.host, each)) return 'above_ceiling';
    if (isServicePort(rules.private, target.port)) return 'private_port';
  }
  return undefined;
}

/** For a host that an upstream proxy will resolve: literals by address, names by their text. */
export function decideUnresolved(rules: Rules, target: Target): Rule | undefined {
  if (isAddress(target.host)) return decideAddress(rules, target, target.host);
  if (isLocalhost(target.host)) return decideAddress(rules, target, '127.0.0.1');
  if (!privateNames.covers(target.host) && target.host.includes('.')) return undefined;
  if (!rules.private.domains.covers(target.host)) return 'private_name';
  if (rules.ceiling && !rules.ceiling.domains.covers(target.host)) return 'above_ceiling';
  return isServicePort(rules.private, target.port) ? 'private_port' : undefined;
}

const usualPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };

/**
 * What the policy says of an address before anything is dialled: by its name, and by its number where it is written as one.
 * The exit still has the last word, because only it knows what a name leads to.
 */
export function judgeByName(policy: EgressPolicy): (url: URL) => Rule | undefined {
  const rules = readPolicy(policy);
  return ({ protocol, hostname, port }) => {
    const host = normalizeHost(hostname);
    const usual = usualPorts[protocol];
    if (usual === undefined) return 'unsupported_scheme';
    if (host === undefined) return 'invalid_host';
    const target = { scheme: protocol.slice(0, -1) as 'http' | 'https', host, port: Number(port) || usual };
    const isLiteral = isAddress(host) || isLocalhost(host);
    return decideHost(rules, target) ?? (isLiteral ? decideUnresolved(rules, target) : undefined);
  };
}
