/** Which sites cookies are of, told without what is in them. */
import { getDomain } from 'tldts';

const mostDomains = 32;

/** Registrable domains (eTLD+1); an address or a name without one stands for itself. */
export function cookieDomains(cookies: readonly { domain?: string }[]): string[] {
  const domains = new Set<string>();
  for (const cookie of cookies) {
    const host = (cookie.domain ?? '').replace(/^\./, '');
    if (host) domains.add(getDomain(host, { allowPrivateDomains: true }) ?? host);
  }
  return [...domains].sort().slice(0, mostDomains);
}
