/** What became of a request that takes a kept answer, for its caller to know. */
export interface CacheUse {
  /** `miss`: there was none. `stale`: the one there was too old, and the page was visited again. */
  status: 'hit' | 'revalidated' | 'miss' | 'stale';
  /** When the answer was made. */
  madeAt: number;
  /** Since then, or since the site last said that its page is still the same. */
  ageMs: number;
  /** It is kept for the next one that asks. */
  stored: boolean;
  /** Another caller was asking for the same at that moment: both got one answer. */
  collapsed: boolean;
}

export const isFromCache = (use: CacheUse | undefined): boolean =>
  use?.status === 'hit' || use?.status === 'revalidated';

/** In the words of an answer that is JSON. */
export const freshnessOf = (use: CacheUse) => ({
  fromCache: isFromCache(use),
  ...(isFromCache(use) && { cachedAt: new Date(use.madeAt).toISOString() }),
  ...(use.status === 'revalidated' && { revalidated: true }),
});

const words = {
  hit: ['hit'],
  revalidated: ['fwd=stale', 'fwd-status=304'],
  miss: ['fwd=miss'],
  stale: ['fwd=stale'],
};

/** In the words of RFC 9211 and RFC 9111. */
export function cacheHeaders(use: CacheUse, maxAgeMs: number): Record<string, string> {
  const kept = isFromCache(use);
  const parts = [
    'browserd',
    ...words[use.status],
    ...(kept ? [`ttl=${Math.floor((maxAgeMs - use.ageMs) / 1000)}`] : use.stored ? ['stored'] : []),
    ...(use.collapsed ? ['collapsed'] : []),
  ];
  return {
    'cache-status': parts.join('; '),
    ...(kept && { age: String(Math.floor(use.ageMs / 1000)) }),
  };
}
