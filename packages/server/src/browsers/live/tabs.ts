/**
 * The tabs of one Chromium, kept up to date by its own events, so that looking at them disturbs no page.
 * Every new tab is held at its first instruction until it looks the way the browser was asked to look.
 */
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import { Arrivals } from './arrivals.ts';
import { CrashCauses } from './crash-causes.ts';
import type { Emulation } from './emulation.ts';
import { HiddenPages } from './hidden-page.ts';
import { NewTargets } from './new-targets.ts';
import { StorageChanges } from './storage-changes.ts';
import type { SavedTab, Tab } from './tab.ts';
import { type EmulatedPage, TabEmulation, type Viewport } from './tab-emulation.ts';
import { TabLimits } from './tab-limits.ts';
import { type TabEntry, TabList } from './tab-list.ts';
import type { Watchers } from './watchers.ts';
import { Windows } from './windows.ts';

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
  readonly #arrivals = new Arrivals();
  readonly crashes = new CrashCauses();
  readonly #limits: TabLimits;
  readonly #targets: NewTargets;

  private constructor(cdp: Cdp, watchers: Watchers, { mostTabs, isGuests }: TabsRules) {
    this.#cdp = cdp;
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
    this.#targets = new NewTargets({
      cdp,
      list: this.#list,
      limits: this.#limits,
      emulation: this.#emulation,
      storage: this.storage,
      windows: this.windows,
      isGuests,
    });
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
    await Promise.all(tabs.#list.entries().map(({ targetId }) => tabs.#targets.whenAttached(targetId)));
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

  /** The media features that are emulated in its pages; undefined: none. */
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
    const created = await this.#targets.open(async () => {
      const page = { url: 'about:blank', browserContextId };
      const { targetId } = await this.#cdp.send('Target.createTarget', page);
      if (tabId) this.#list.rename(targetId, tabId);
      return targetId;
    });
    return tabId ?? created;
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
      this.#targets.settle(targetId);
      list.destroyed(targetId);
    });
    // Killed: by the service, or by a kernel that was short of memory. By itself a page crashes otherwise.
    cdp.on('Target.targetCrashed', ({ targetId, status }) => list.crashed(targetId, this.crashes.of(status)));
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
      if (this.hidden.takes(targetInfo)) this.hidden.attached(sessionId);
      else void this.#targets.prepare(sessionId, targetInfo, waitingForDebugger);
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
}
