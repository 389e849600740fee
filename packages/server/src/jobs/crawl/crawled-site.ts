/** What is remembered of one job while it is at work here: what belongs to its site, the rules of hosts, and who waits for them. */
import { HostRules } from './host-rules.ts';
import { Scope, type ScopeWishes } from './scope.ts';

export class CrawledSite {
  readonly scope: Scope;
  readonly rules = new HostRules();
  readonly #respects: boolean;
  /** When the last page that waits for a host is due. */
  readonly #lines = new Map<string, number>();

  constructor(start: string, wishes: ScopeWishes & { robots: 'respect' | 'ignore' }) {
    this.scope = new Scope(start, wishes);
    this.#respects = wishes.robots === 'respect';
  }

  get respects(): boolean {
    return this.#respects;
  }

  /** As far as the rules are known. */
  allows(url: string): boolean {
    return !this.#respects || this.rules.allows(url);
  }

  /**
   * How long one of several pages waits for a host that is free in `waitMs`: each behind the one before, so that they do not
   * all come at the same moment to be sent away again.
   */
  lineUp(host: string, waitMs: number, delayMs: number): number {
    const now = performance.now();
    const due = Math.max(now + waitMs, (this.#lines.get(host) ?? 0) + delayMs);
    this.#lines.set(host, due);
    return Math.ceil(due - now);
  }
}
