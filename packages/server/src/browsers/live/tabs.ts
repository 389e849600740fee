/**
 * The tabs of one Chromium, kept up to date by its own events, so that looking at them disturbs no page.
 * Every new tab is held at its first instruction until it looks the way the browser was asked to look.
 */
import type { Protocol } from 'devtools-protocol';
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import { networkBuffers } from '../network/network.ts';
import { Arrivals } from './arrivals.ts';
import { CrashCauses } from './crash-causes.ts';
import type { Emulation } from './emulation.ts';
import { HiddenPages } from './hidden-page.ts';
import { StorageChanges } from './storage-changes.ts';
import type { SavedTab, Tab } from './tab.ts';
import { type EmulatedPage, TabEmulation, type Viewport } from './tab-emulation.ts';
import { TabLimits } from './tab-limits.ts';
import { type TabEntry, TabList } from './tab-list.ts';
import type { Watchers } from './watchers.ts';
import { Windows } from './windows.ts';

/** How long a client may keep a new page waiting; a page must not hang for ever because of a client that does. */
const clientPatienceMs = 10_000;

export interface TabsRules {
  /** That it may have at one time. */
  mostTabs: number;
  /** Whether the pages of a browser context have no owner. */
  isGuests(contextId: string | undefined): boolean;
}

const attachedOf = (entries: readonly TabEntry[]): EmulatedPage[] =>
  entries.flatMap(({ sessionId, ...entry }) => (sessionId ? [{ ...entry, sessionId }] : []));

export class Tabs {
  readonly #cdp: Cdp;
  readonly #watchers: Watchers;
  readonly #list: TabList;
  readonly #emulation: TabEmulation;
  readonly windows: Windows;
  readonly hidden: HiddenPages;
  readonly storage: StorageChanges;
  /** No page goes anywhere and no call or client is let in before this. */
  settled: Promise<unknown> = Promise.resolve();
  /** Tabs that the service itself is about to open. */
  #opening = 0;
  readonly #arrivals = new Arrivals();
  readonly #attached = new Map<string, () => void>();
  readonly crashes = new CrashCauses();
  readonly #limits: TabLimits;
  readonly #isGuests: TabsRules['isGuests'];

  private constructor(cdp: Cdp, watchers: Watchers, { mostTabs, isGuests }: TabsRules) {
    this.#cdp = cdp;
    this.#isGuests = isGuests;
    this.#watchers = watchers;
    this.#list = new TabList(watchers);
    this.hidden = new HiddenPages(cdp);
    this.storage = new StorageChanges(cdp, watchers);
    this.windows = new Windows(cdp, {
      tabs: () => this.#list.entries(),
      sizeIn: (tabs) => this.#sizeIn(tabs),
    });
    this.#emulation = new TabEmulation(cdp, (targetId) => this.windows.decides(targetId));
    this.#limits = new TabLimits(cdp, watchers, mostTabs, (targetId) => this.tabOf(targetId));
  }

  /** Resolves when the tab that Chromium starts with is attached and looks as it should. */
  static async watch(cdp: Cdp, watchers: Watchers, rules: TabsRules): Promise<Tabs> {
    const tabs = new Tabs(cdp, watchers, rules);
    tabs.#listen();
    const [version] = await Promise.all([
      cdp.send('Browser.getVersion'),
      cdp.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }),
      cdp.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'page' }],
      }),
    ]);
    const { userAgent, product } = version;
    tabs.#emulation.own = { userAgent, version: product.split('/')[1] ?? '' };
    await Promise.all(tabs.#list.entries().map(({ targetId }) => tabs.#whenAttached(targetId)));
    return tabs;
  }

  list(): Tab[] {
    return this.#list.views();
  }

  /** Chromium sends an event for a new address; a new title has to be asked for. */
  async refresh(): Promise<SavedTab[]> {
    const { targetInfos } = await this.#cdp.send('Target.getTargets', { filter: [{ type: 'page' }] });
    for (const info of targetInfos) this.#list.update(info);
    return this.#list.saved().map((tab) => ({ ...tab, viewport: this.viewportOf(tab.tabId) }));
  }

  get active(): Tab | undefined {
    return this.#list.active;
  }

  targetOf(tabId: string): string | undefined {
    return this.#list.ofTab(tabId)?.targetId;
  }

  tabOf(targetId: string): string | undefined {
    return this.#list.ofTarget(targetId)?.tabId;
  }

  sessions(): string[] {
    return this.#list.entries().flatMap(({ sessionId }) => sessionId ?? []);
  }

  sessionOf(tabId: string): string | undefined {
    return this.#list.ofTab(tabId)?.sessionId;
  }

  /** Nothing answers there until it is navigated again. */
  hasCrashed(tabId: string): boolean {
    return this.#list.ofTab(tabId)?.crashed === true;
  }

  /** Why its page crashed, or is about to, where that is known. */
  crashReason(tabId: string): string | undefined {
    return this.#list.ofTab(tabId)?.crashReason ?? this.crashes.current;
  }

  async emulate(emulation: Emulation): Promise<void> {
    if (this.#emulation.set(emulation)) await this.emulateAgain();
  }

  /** After a client has gone whose own emulation had taken the place of ours. */
  async emulateAgain(): Promise<void> {
    await Promise.all([this.#emulateIn(this.#list.entries()), this.#emulation.applyToFrames()]);
  }

  /** A client that leaves takes the conditions of the network with it, also those that the service set. */
  get needsEmulationAgain(): boolean {
    return this.#emulation.hasNetwork;
  }

  /** What the browser wants its pages to believe about media; undefined: nothing. */
  get media(): { name: string; value: string }[] | undefined {
    return this.#emulation.media;
  }

  /** How the pages of one browser context look; null: the context is gone. */
  async emulateContext(contextId: string, emulation: Emulation | null): Promise<void> {
    if (this.#emulation.setContext(contextId, emulation))
      await this.#emulateIn(this.#list.entries().filter((entry) => entry.contextId === contextId));
  }

  /** null: as its browser. */
  async resize(tabId: string, viewport: Viewport | null): Promise<void> {
    const entry = this.#list.ofTab(tabId);
    if (!entry) return;
    this.#emulation.setViewport(entry.targetId, viewport);
    await this.#sizeIn([entry]);
    this.#watchers.notify('touched');
  }

  viewportOf(tabId: string): Viewport | undefined {
    return this.#emulation.viewportOf(this.targetOf(tabId) ?? '');
  }

  async #emulateIn(entries: readonly TabEntry[]): Promise<void> {
    await Promise.all(attachedOf(entries).map((page) => this.#emulation.applyToPage(page)));
  }

  async #sizeIn(entries: readonly TabEntry[]): Promise<void> {
    await Promise.all(attachedOf(entries).map((page) => this.#emulation.applySize(page)));
  }

  /** Why no caller may open another one. */
  refusal(): string | undefined {
    return this.#limits.refusal(this.#list.count);
  }

  /** A new, empty tab, under its old id when it is being restored. */
  async open(tabId?: string, browserContextId?: string): Promise<string> {
    const refusal = this.refusal();
    if (refusal) throw new ApiError('TOO_MANY_TABS', refusal);
    this.#opening++;
    try {
      const page = { url: 'about:blank', browserContextId };
      const { targetId } = await this.#cdp.send('Target.createTarget', page);
      if (tabId) this.#list.rename(targetId, tabId);
      await this.#whenAttached(targetId);
      return tabId ?? targetId;
    } finally {
      this.#opening--;
    }
  }

  /** Resolves when the page has begun to show, or cannot: `failure` is Chromium's net error. */
  async navigate(
    tabId: string,
    url: string,
    timeoutMs?: number,
  ): Promise<{ failure?: string; isDownload?: boolean }> {
    await this.settled;
    const sessionId = this.sessionOf(tabId);
    const result = await this.#cdp.send('Page.navigate', { url }, { sessionId, timeoutMs });
    const { loaderId } = result;
    if (loaderId && !result.isDownload && this.#list.ofTab(tabId)?.loaderId !== loaderId)
      await this.#arrivals.of(loaderId);
    return { failure: result.errorText, isDownload: result.isDownload };
  }

  async activate(tabId: string): Promise<void> {
    const entry = this.#list.ofTab(tabId);
    if (!entry) return;
    this.#list.activated(entry);
    try {
      await this.#cdp.send('Target.activateTarget', { targetId: entry.targetId });
    } catch (error) {
      // Closed at this very moment: the event of that is on its way, and makes another tab the active one.
      if (!(error instanceof CdpError && error.reason.startsWith('No target'))) throw error;
    }
  }

  /** The first tab becomes one that is being restored. */
  adopt(tabId: string): void {
    const [first] = this.#list.entries();
    if (first) this.#list.rename(first.targetId, tabId);
  }

  #whenAttached(targetId: string): Promise<void> {
    if (this.#list.ofTarget(targetId)?.sessionId) return Promise.resolve();
    return new Promise((resolve) => this.#attached.set(targetId, resolve));
  }

  #listen(): void {
    const cdp = this.#cdp;
    const list = this.#list;
    cdp.on('Target.targetCreated', ({ targetInfo }) => {
      if (this.hidden.takes(targetInfo)) return;
      if (this.#limits.admits(targetInfo, list.count)) list.opened(targetInfo);
    });
    cdp.on('Target.targetInfoChanged', ({ targetInfo }) => list.changed(targetInfo));
    cdp.on('Target.targetDestroyed', ({ targetId }) => {
      this.#limits.gone(targetId);
      this.windows.gone(targetId);
      this.hidden.gone(targetId);
      this.#settleAttached(targetId);
      list.destroyed(targetId);
    });
    // Killed: by the service, or by a kernel that was short of memory. By itself a page crashes otherwise.
    cdp.on('Target.targetCrashed', ({ targetId, status }) => list.crashed(targetId, this.crashes.of(status)));
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
      if (this.hidden.takes(targetInfo)) this.hidden.attached(sessionId);
      else void this.#prepare(sessionId, targetInfo, waitingForDebugger);
    });
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => list.detached(sessionId));
    cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
      if (frame.parentId) return;
      const url = frame.unreachableUrl ?? frame.url + (frame.urlFragment ?? '');
      this.#arrivals.came(frame.loaderId);
      list.navigated(sessionId, url, frame.loaderId);
    });
    cdp.on('Page.navigatedWithinDocument', ({ url, frameId }, sessionId) => {
      // The main frame of a page has the id of its target.
      if (list.ofTarget(frameId)) list.navigated(sessionId, url);
    });
  }

  #settleAttached(targetId: string): void {
    this.#attached.get(targetId)?.();
    this.#attached.delete(targetId);
  }

  /** Sets a new target up and lets it run. It may be gone again before that is done. */
  async #prepare(sessionId: string, info: Protocol.Target.TargetInfo, waiting: boolean): Promise<void> {
    // A second session of a tab belongs to one task of the service, which sets it up itself.
    if (this.#list.ofTarget(info.targetId)?.sessionId) return;
    const cdp = this.#cdp;
    const { type, targetId, browserContextId: contextId } = info;
    if (!this.#list.ofTarget(targetId) && !this.#limits.admits(info, this.#list.count)) {
      this.#limits.close(targetId, sessionId);
      this.#settleAttached(targetId);
      return;
    }
    if (type === 'page') this.#list.opened(info);
    const page = { sessionId, contextId, targetId };
    // At once: what a client asks of its new page comes later, and counts.
    const prepared =
      type === 'page'
        ? Promise.all([
            cdp.send('Page.enable', undefined, { sessionId }),
            // What a guest stores is in no checkpoint. Its visit hears what it asks for, from its first request on: a page that
            // is told of it only then may have begun to load before it has heard.
            this.#isGuests(contextId)
              ? cdp.send('Network.enable', networkBuffers, { sessionId })
              : this.storage.listen(sessionId),
            this.#emulation.applyToPage(page),
          ])
        : this.#emulation.applyToFrame(sessionId, contextId);
    // A page that the service opens has the usual window, as has the first.
    const sized = type === 'page' && waiting && this.#opening === 0 && this.#sizeAsItsWindow(page);
    // It may fail before it is waited for.
    prepared.catch(() => undefined);
    await sized;
    // Right behind, not after the answers: some targets answer nothing before they run. Commands are carried out in the order sent.
    if (waiting) void this.#letRun(sessionId, targetId).catch(() => undefined);
    try {
      await prepared;
    } catch (error) {
      if (!(error instanceof CdpError)) return;
    } finally {
      this.#list.attached(targetId, sessionId);
      this.#settleAttached(targetId);
    }
  }

  async #sizeAsItsWindow(page: EmulatedPage): Promise<void> {
    await this.windows.look(page.targetId).catch(() => undefined);
    // Right before it is let run: the answer is not waited for.
    if (this.windows.decides(page.targetId)) this.#emulation.applySize(page).catch(() => undefined);
  }

  async #letRun(sessionId: string, targetId: string): Promise<void> {
    await this.#cdp.freeOfClients(targetId, clientPatienceMs);
    await this.#cdp.send('Runtime.runIfWaitingForDebugger', undefined, { sessionId });
  }
}
