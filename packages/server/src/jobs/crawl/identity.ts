/**
 * By which address a page counts, so that it is in the results once: where its redirects ended, or the canonical address that
 * it names. A canonical address is the page's own word, and many sites name their front page on every page by mistake.
 */
import { type Address, addressOf } from './address.ts';
import type { Scope } from './scope.ts';

const isFront = (url: URL): boolean => url.pathname === '/' && url.search === '';
/** Pages that are the front page under another name. */
const isLikeFront = (url: URL): boolean => /^\/(?:(?:index|default|home)(?:\.\w+)?)?$/i.test(url.pathname);

export function identityOf(final: Address, canonical: string | undefined, scope: Scope): string {
  const named = canonical === undefined ? undefined : addressOf(canonical);
  if (!named || !scope.holds(named.url)) return final.key;
  if (isFront(new URL(named.url)) && !isLikeFront(new URL(final.url))) return final.key;
  return named.key;
}
