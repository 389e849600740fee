/**
 * Which references the documents of a tab have given. Numbers go on from one document to the next, and each document of a frame
 * has a number of its own: so a reference of a page that was left finds nothing in the page that came after it.
 */
import type { Running } from '../../browsers/browsers.ts';
import type { Address, World } from './worlds.ts';

/** A page may make frames without end; those that were named first are forgotten. */
const mostFrames = 2000;

export class TabRefs {
  /** The highest number given in documents of the tab itself. */
  last = 0;
  readonly #prefixes = new Map<string, string>();
  readonly #addresses = new Map<string, Address>();
  #frames = 0;

  /** What the references of a frame's document begin with. */
  prefixOf({ frameId, contextId, holder }: World, around: string): string {
    const key = `${frameId} ${contextId}`;
    const prefix = this.#prefixes.get(key) ?? `f${++this.#frames}`;
    this.#prefixes.set(key, prefix);
    this.#addresses.set(prefix, { frameId, holder, around });
    forgetOldest(this.#prefixes);
    forgetOldest(this.#addresses);
    return prefix;
  }

  addressOf(prefix: string): Address | undefined {
    return this.#addresses.get(prefix);
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > mostFrames && oldest !== undefined) map.delete(oldest);
}

const browsers = new WeakMap<Running, Map<string, TabRefs>>();

export function refsOf(running: Running, tabId: string): TabRefs {
  const tabs = browsers.get(running) ?? new Map<string, TabRefs>();
  browsers.set(running, tabs);
  for (const known of tabs.keys()) if (!running.live.tabs.targetOf(known)) tabs.delete(known);
  const refs = tabs.get(tabId) ?? new TabRefs();
  tabs.set(tabId, refs);
  return refs;
}

const pattern = /^(f\d{1,9})?e\d{1,9}$/;

export const isRef = (text: string): boolean => pattern.test(text);

/** Empty: of the document of the tab itself. */
export const prefixIn = (ref: string): string => pattern.exec(ref)?.[1] ?? '';
