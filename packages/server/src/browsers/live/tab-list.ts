/**
 * What is known of the tabs of one Chromium, from its own events: ids, addresses, titles, sessions, which is in front.
 * Each change is an event for the watchers.
 */
import type { Protocol } from 'devtools-protocol';
import { type SavedTab, savedTab, type Tab, toldTab } from './tab.ts';
import type { Watchers } from './watchers.ts';

export interface TabEntry extends SavedTab {
  targetId: string;
  contextId: string | undefined;
  sessionId: string | undefined;
  /** Of the page it shows. */
  loaderId?: string;
  /** It is being closed: Chromium lets go of a page a moment before it says that the page is gone. */
  isLeaving?: boolean;
  /** Its page crashed, and no other has come since. */
  crashed?: boolean;
  /** Why it crashed, where that is known. */
  crashReason?: string;
}

export class TabList {
  readonly #watchers: Watchers;
  readonly #entries = new Map<string, TabEntry>();
  /** Tabs that are being reopened take the id they had before. */
  readonly #promised = new Map<string, string>();
  #activeTarget: string | undefined;

  constructor(watchers: Watchers) {
    this.#watchers = watchers;
  }

  entries(): TabEntry[] {
    return [...this.#entries.values()];
  }

  /** Those that stay, which is what limits are about. */
  get count(): number {
    return this.entries().filter(({ isLeaving }) => !isLeaving).length;
  }

  views(): Tab[] {
    return this.entries().map(toldTab);
  }

  /** As they are to be opened again. */
  saved(): SavedTab[] {
    return this.entries().map(({ tabId, url, title, addressLost }) => ({
      tabId,
      url,
      title,
      ...(addressLost && { addressLost }),
    }));
  }

  get active(): Tab | undefined {
    const front = this.#entries.get(this.#activeTarget ?? '');
    const staying = this.entries().filter(({ isLeaving }) => !isLeaving);
    const entry = front && !front.isLeaving ? front : (staying.at(-1) ?? front ?? this.entries().at(-1));
    return entry && toldTab(entry);
  }

  ofTarget(targetId: string): TabEntry | undefined {
    return this.#entries.get(targetId);
  }

  ofTab(tabId: string): TabEntry | undefined {
    return this.entries().find((entry) => entry.tabId === tabId);
  }

  rename(targetId: string, tabId: string): void {
    this.#promised.set(targetId, tabId);
    const entry = this.#entries.get(targetId);
    if (entry) entry.tabId = tabId;
  }

  /** Its address and title as Chromium has them; between two pages Chromium has no address to give. */
  update({ targetId, url, title }: { targetId: string; url: string; title: string }): TabEntry | undefined {
    const entry = this.#entries.get(targetId);
    if (entry && url) this.#show(entry, url, title);
    return entry;
  }

  #show(entry: TabEntry, url: string, title: string): void {
    entry.addressLost = undefined;
    Object.assign(entry, savedTab({ tabId: entry.tabId, url, title }));
  }

  opened(info: Protocol.Target.TargetInfo): void {
    if (info.type !== 'page' || this.#entries.has(info.targetId)) return;
    const tabId = this.#promised.get(info.targetId) ?? info.targetId;
    const { targetId, url, title, browserContextId: contextId } = info;
    const entry = { ...savedTab({ tabId, url, title }), targetId, contextId, sessionId: undefined };
    this.#entries.set(targetId, entry);
    this.#activeTarget = targetId;
    this.#watchers.notify('opened', toldTab(entry));
    this.#watchers.notify('touched');
  }

  changed(info: Protocol.Target.TargetInfo): void {
    if (this.update(info)) this.#watchers.notify('touched');
  }

  navigated(sessionId: string | undefined, url: string, loaderId?: string): void {
    for (const entry of this.entries().filter((each) => each.sessionId === sessionId)) {
      this.#show(entry, url, entry.title);
      entry.loaderId = loaderId ?? entry.loaderId;
      entry.crashed = false;
      entry.crashReason = undefined;
      this.#watchers.notify('navigated', toldTab(entry));
    }
    this.#watchers.notify('touched');
  }

  crashed(targetId: string, reason: string | undefined): void {
    const entry = this.#entries.get(targetId);
    if (!entry) return;
    entry.crashed = true;
    entry.crashReason = reason;
    this.#watchers.notify('crashed', { ...toldTab(entry), reason });
  }

  activated({ targetId }: TabEntry): void {
    this.#activeTarget = targetId;
    this.#watchers.notify('activated');
  }

  attached(targetId: string, sessionId: string): void {
    const entry = this.#entries.get(targetId);
    if (entry) Object.assign(entry, { sessionId, isLeaving: false });
    this.#watchers.notify('activated');
  }

  detached(sessionId: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.sessionId !== sessionId) continue;
      entry.sessionId = undefined;
      entry.isLeaving = true;
    }
  }

  destroyed(targetId: string): void {
    const entry = this.#entries.get(targetId);
    this.#entries.delete(targetId);
    this.#promised.delete(targetId);
    if (this.#activeTarget === targetId) this.#activeTarget = [...this.#entries.keys()].at(-1);
    if (!entry) return;
    this.#watchers.notify('closed', toldTab(entry));
    this.#watchers.notify('activated');
    this.#watchers.notify('touched');
  }
}
