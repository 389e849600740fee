/**
 * The policy that would have allowed a refused connection, if a policy can do that at all. Blocked beats allowed, so a
 * blocking entry is removed; a host that is missing on the allow-list is added; a private address is named.
 */
import type { api } from '@browserd/sdk';

export interface Refusal {
  url: string;
  host: string;
  rule: string;
  /** The address that the host resolved to, if that was refused. */
  address?: string;
}

export function refusalOf({ data }: api.Event): Refusal | undefined {
  const { url, host, rule, address } = data;
  if (typeof url !== 'string' || typeof host !== 'string' || typeof rule !== 'string') return undefined;
  return { url, host, rule, ...(typeof address === 'string' && { address }) };
}

export function allowing(policy: api.Policy, refusal: Refusal): api.Policy | undefined {
  const { host, rule } = refusal;
  if (rule === 'not_in_allow_list')
    return { ...policy, allowedDomains: [...(policy.allowedDomains ?? []), host] };
  if (rule === 'blocked_domain') return lifted(policy, 'blockedDomains', (entry) => covers(entry, host));
  if (rule === 'blocked_origin') {
    const origin = URL.parse(refusal.url)?.origin;
    return lifted(policy, 'blockedOrigins', (entry) => URL.parse(entry)?.origin === origin);
  }
  // the owner of a name can point it at any address, so only the refused address is allowed
  const privately = rule === 'private_address' ? (refusal.address ?? host) : host;
  if (rule === 'private_name' || (rule === 'private_address' && isAddress(privately)))
    return { ...policy, privateAccess: { ...policy.privateAccess, ...nameOf(privately, policy) } };
  return undefined;
}

function lifted(
  policy: api.Policy,
  list: 'blockedDomains' | 'blockedOrigins',
  fits: (entry: string) => boolean,
): api.Policy | undefined {
  const entries = policy[list] ?? [];
  const kept = entries.filter((entry) => !fits(entry));
  return kept.length < entries.length ? { ...policy, [list]: kept } : undefined;
}

const covers = (entry: string, host: string): boolean => {
  const domain = entry.replace(/^\*\./, '').toLowerCase();
  return host === domain || host.endsWith(`.${domain}`);
};

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
const isV4 = (host: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(host);
const isV6 = (host: string): boolean => host.includes(':');
const isAddress = (host: string): boolean => isLoopback(host) || isV4(host) || isV6(host);

function nameOf(
  host: string,
  { privateAccess }: api.Policy,
): NonNullable<Exclude<api.Policy['privateAccess'], false>> {
  const { domains = [], cidrs = [] } = privateAccess || {};
  if (isLoopback(host)) return { localhost: true };
  if (isV4(host)) return { cidrs: [...cidrs, `${host}/32`] };
  if (isV6(host)) return { cidrs: [...cidrs, `${host.replaceAll(/[[\]]/g, '')}/128`] };
  return { domains: [...domains, host] };
}
