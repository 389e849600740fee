/**
 * Which addresses belong to the site that is crawled: those of its host, or of its registrable domain with all that is below
 * it; and of these the ones that the caller's patterns let in. Patterns are the globs of the rules for requests, where a star
 * stands for any characters, so that no pattern of a caller takes long on an address of a page.
 */
import { getDomain } from 'tldts';
import { Glob } from '../../kit/glob.ts';

export interface ScopeWishes {
  scope: 'sameHost' | 'domain';
  include?: readonly string[];
  exclude?: readonly string[];
}

export class Scope {
  readonly #wishes: ScopeWishes;
  readonly #sites = new Set<string>();
  readonly #include: readonly Glob[];
  readonly #exclude: readonly Glob[];

  constructor(start: string, wishes: ScopeWishes) {
    this.#wishes = wishes;
    this.#include = (wishes.include ?? []).map((pattern) => new Glob(pattern));
    this.#exclude = (wishes.exclude ?? []).map((pattern) => new Glob(pattern));
    this.widen(start);
  }

  /** The start may only lead to the site: `example.com` to `www.example.com`. Where it ended belongs to the site as well. */
  widen(url: string): void {
    this.#sites.add(this.#siteOf(new URL(url)));
  }

  /** Whether it is on the site, whatever the patterns say. */
  holds(url: string): boolean {
    return this.#sites.has(this.#siteOf(new URL(url)));
  }

  /** Whether the caller's patterns let it in. */
  admits(url: string): boolean {
    const { pathname, search } = new URL(url);
    const path = pathname + search;
    const fits = (glob: Glob): boolean => glob.matches(url) || glob.matches(path);
    return (this.#include.length === 0 || this.#include.some(fits)) && !this.#exclude.some(fits);
  }

  #siteOf({ host, hostname }: URL): string {
    // One of the two names only leads to the other, and which one is written in a sitemap is chance.
    if (this.#wishes.scope === 'sameHost') return host.replace(/^www\./, '');
    // Sites of one host for many, such as github.io, are sites of their own.
    return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  }
}
