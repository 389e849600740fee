/**
 * How many tabs a browser may have, and how many windows its pages may open a second. What is beyond is closed before it
 * has run, is in no list, and is told as a number: a page can open thousands.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import { Tally } from '../../kit/tally.ts';
import type { Limited, Watchers } from './watchers.ts';

const mostPopups = 10;
const popupWindowMs = 1000;
const tellEveryMs = 2000;

type Refused = { limit: 'tabs' | 'popups'; openerId: string | undefined };

export class TabLimits {
  readonly #cdp: Cdp;
  readonly #mostTabs: number;
  readonly #popups = new FloodWindow(mostPopups, popupWindowMs);
  readonly #admitted = new Set<string>();
  /** Being closed. */
  readonly #refused = new Set<string>();
  readonly #tallies: Record<Refused['limit'], Tally<Refused>>;

  /** `tabOf`: the id in the API of the tab that opened one. */
  constructor(
    cdp: Cdp,
    watchers: Watchers,
    mostTabs: number,
    tabOf: (targetId: string) => string | undefined,
  ) {
    this.#cdp = cdp;
    this.#mostTabs = mostTabs;
    const tally = (message: string) =>
      new Tally<Refused>(tellEveryMs, ({ limit, openerId }, count) => {
        const what: Limited = { limit, message, count, ...(openerId && { tabId: tabOf(openerId) }) };
        watchers.notify('limited', what);
      });
    this.#tallies = {
      tabs: tally(`The browser may have ${mostTabs} tabs; those beyond were closed.`),
      popups: tally(`Its pages may open ${mostPopups} windows a second; those beyond were closed.`),
    };
    cdp.onEnd(() => {
      for (const each of Object.values(this.#tallies)) each.flush();
    });
  }

  /** Why a caller may open no other tab. */
  refusal(open: number): string | undefined {
    return open >= this.#mostTabs
      ? `The browser has as many tabs as it may (${this.#mostTabs}). Close one first.`
      : undefined;
  }

  /** Whether a target that is new may stay. Only pages are limited here. */
  admits({ targetId, type, openerId }: Protocol.Target.TargetInfo, open: number): boolean {
    if (type !== 'page' || this.#admitted.has(targetId)) return true;
    if (this.#refused.has(targetId)) return false;
    const limit = open >= this.#mostTabs ? 'tabs' : openerId && !this.#popups.admits() ? 'popups' : undefined;
    if (!limit) {
      this.#admitted.add(targetId);
      return true;
    }
    this.#refused.add(targetId);
    this.#tallies[limit].add({ limit, openerId });
    return false;
  }

  /** The page that opened it stands still until it runs, so it must run before it is closed. */
  close(targetId: string, sessionId: string): void {
    for (const done of [
      this.#cdp.send('Runtime.runIfWaitingForDebugger', undefined, { sessionId }),
      this.#cdp.send('Target.closeTarget', { targetId }),
    ])
      done.catch(() => undefined);
  }

  gone(targetId: string): void {
    this.#admitted.delete(targetId);
    this.#refused.delete(targetId);
  }
}
