/**
 * Navigations of one browser as events. A page can change its own address thousands of times a second: beyond so many
 * in a while the latest of each tab is told once a second, with the number of those that were skipped.
 */
import { FloodWindow } from '../../kit/flood-window.ts';
import type { Tab } from '../live/live.ts';

const mostAtOnce = 50;
const windowMs = 10_000;
const everyMs = 1000;
/** In each round; the others wait for the next, still as their latest. */
const mostTabs = 5;

export class NavigationEvents {
  readonly #tell: (tab: Tab, skipped: number) => void;
  readonly #window = new FloodWindow(mostAtOnce, windowMs);
  /** By tab, the longest waiting first. */
  readonly #waiting = new Map<string, { tab: Tab; skipped: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (tab: Tab, skipped: number) => void) {
    this.#tell = tell;
  }

  add(tab: Tab): void {
    const waiting = this.#waiting.get(tab.tabId);
    if (waiting) Object.assign(waiting, { tab, skipped: waiting.skipped + 1 });
    else if (this.#window.admits()) this.#tell(tab, 0);
    else this.#waiting.set(tab.tabId, { tab, skipped: 0 });
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#round(mostTabs), everyMs).unref();
  }

  closed(tabId: string): void {
    this.#waiting.delete(tabId);
  }

  /** Tells of all that wait. */
  flush(): void {
    this.#round(Number.POSITIVE_INFINITY);
  }

  #round(most: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [tabId, { tab, skipped }] of [...this.#waiting].slice(0, most)) {
      this.#waiting.delete(tabId);
      this.#tell(tab, skipped);
    }
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#round(most), everyMs).unref();
  }
}
