/**
 * The tabs of one Chromium, kept up to date by its own news, so that looking at them disturbs no page.
 * Every new tab is held at its first instruction until it looks the way the browser was asked to look.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Protocol } from 'devtools-protocol';
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import { defaultEmulation, type Emulation, emulateFrame, emulatePage, reachesFrames } from './emulation.ts';
import type { Tab } from './tab.ts';
import type { Watchers } from './watchers.ts';

interface Entry extends Tab {
  targetId: string;
  contextId: string | undefined;
  sessionId: string | undefined;
  /** Of the page it shows. */
  loaderId?: string;
  /** Its page crashed, and no other has come since. */
  crashed?: boolean;
}

const arrivalMs = 2000;

export class Tabs {
  readonly #cdp: Cdp;
  readonly #watchers: Watchers;
  readonly #entries = new Map<string, Entry>();
  #baseUserAgent = '';
  #emulation: Emulation = defaultEmulation;
  /** Of browser contexts that look otherwise. */
  readonly #contexts = new Map<string, Emulation>();
  #activeTarget: string | undefined;
  /** Tabs that are being reopened take the id they had before. */
  readonly #promised = new Map<string, string>();
  readonly #arrivals = new Map<string, () => void>();
  readonly #attached = new Map<string, () => void>();

  private constructor(cdp: Cdp, watchers: Watchers) {
    this.#cdp = cdp;
    this.#watchers = watchers;
  }

  /** Resolves when the tab that Chromium starts with is attached and looks as it should. */
  static async watch(cdp: Cdp, watchers: Watchers): Promise<Tabs> {
    const tabs = new Tabs(cdp, watchers);
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
    tabs.#baseUserAgent = version.userAgent;
    await Promise.all([...tabs.#entries.keys()].map((targetId) => tabs.#whenAttached(targetId)));
    return tabs;
  }

  list(): Tab[] {
    return [...this.#entries.values()].map(({ tabId, url, title }) => ({ tabId, url, title }));
  }

  /** Chromium tells of new addresses by itself, of new titles only when asked. */
  async refresh(): Promise<Tab[]> {
    const { targetInfos } = await this.#cdp.send('Target.getTargets', { filter: [{ type: 'page' }] });
    for (const info of targetInfos) {
      const entry = this.#entries.get(info.targetId);
      // Between two pages Chromium has no address to give.
      if (entry && info.url) Object.assign(entry, { url: info.url, title: info.title });
    }
    return this.list();
  }

  get active(): Tab | undefined {
    const entry = this.#entries.get(this.#activeTarget ?? '') ?? [...this.#entries.values()].at(-1);
    return entry && { tabId: entry.tabId, url: entry.url, title: entry.title };
  }

  targetOf(tabId: string): string | undefined {
    return this.#find(tabId)?.targetId;
  }

  tabOf(targetId: string): string | undefined {
    return this.#entries.get(targetId)?.tabId;
  }

  sessions(): string[] {
    return [...this.#entries.values()].flatMap(({ sessionId }) => sessionId ?? []);
  }

  sessionOf(tabId: string): string | undefined {
    return this.#find(tabId)?.sessionId;
  }

  /** Nothing answers there until it is navigated again. */
  hasCrashed(tabId: string): boolean {
    return this.#find(tabId)?.crashed === true;
  }

  async emulate(emulation: Emulation): Promise<void> {
    if (isDeepStrictEqual(emulation, this.#emulation)) return;
    this.#emulation = emulation;
    await this.emulateAgain();
  }

  /** After a client has gone whose own emulation had taken the place of ours. */
  async emulateAgain(): Promise<void> {
    await Promise.all(
      [...this.#entries.values()].map(
        (entry) => entry.sessionId && this.#dress(entry.sessionId, entry.contextId),
      ),
    );
  }

  /** How the pages of one browser context look; null: the context is gone. */
  async emulateContext(contextId: string, emulation: Emulation | null): Promise<void> {
    if (emulation) this.#contexts.set(contextId, emulation);
    else this.#contexts.delete(contextId);
    const entries = [...this.#entries.values()].filter((entry) => entry.contextId === contextId);
    if (emulation)
      await Promise.all(entries.map(({ sessionId }) => sessionId && this.#dress(sessionId, contextId)));
  }

  #emulationOf(contextId: string | undefined): Emulation {
    return this.#contexts.get(contextId ?? '') ?? this.#emulation;
  }

  /** A new, empty tab, under its old id when it is being restored. */
  async open(tabId?: string, browserContextId?: string): Promise<string> {
    const { targetId } = await this.#cdp.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    if (tabId) this.#rename(targetId, tabId);
    await this.#whenAttached(targetId);
    return tabId ?? targetId;
  }

  /** Resolves when the page has begun to show, or cannot: `failure` is Chromium's net error. */
  async navigate(tabId: string, url: string, timeoutMs?: number): Promise<{ failure?: string }> {
    const sessionId = this.sessionOf(tabId);
    const result = await this.#cdp.send('Page.navigate', { url }, { sessionId, timeoutMs });
    if (result.loaderId && !result.isDownload) await this.#arrival(tabId, result.loaderId);
    return { failure: result.errorText };
  }

  /** Chromium answers a little before the page is there. */
  async #arrival(tabId: string, loaderId: string): Promise<void> {
    if (this.#find(tabId)?.loaderId === loaderId) return;
    await new Promise<void>((resolve) => {
      this.#arrivals.set(loaderId, resolve);
      setTimeout(resolve, arrivalMs).unref();
    });
    this.#arrivals.delete(loaderId);
  }

  async activate(tabId: string): Promise<void> {
    const entry = this.#find(tabId);
    if (!entry) return;
    this.#activeTarget = entry.targetId;
    this.#watchers.tell('activated');
    try {
      await this.#cdp.send('Target.activateTarget', { targetId: entry.targetId });
    } catch (error) {
      // Closed at this very moment: the news of it is on its way, and makes another one the active.
      if (!(error instanceof CdpError && error.reason.startsWith('No target'))) throw error;
    }
  }

  /** The first tab becomes one that is being restored. */
  adopt(tabId: string): void {
    const first = [...this.#entries.keys()][0];
    if (first) this.#rename(first, tabId);
  }

  #rename(targetId: string, tabId: string): void {
    this.#promised.set(targetId, tabId);
    const entry = this.#entries.get(targetId);
    if (entry) entry.tabId = tabId;
  }

  #find(tabId: string): Entry | undefined {
    for (const entry of this.#entries.values()) if (entry.tabId === tabId) return entry;
    return undefined;
  }

  #whenAttached(targetId: string): Promise<void> {
    if (this.#entries.get(targetId)?.sessionId) return Promise.resolve();
    return new Promise((resolve) => this.#attached.set(targetId, resolve));
  }

  #listen(): void {
    const cdp = this.#cdp;
    cdp.on('Target.targetCreated', ({ targetInfo }) => this.#opened(targetInfo));
    cdp.on('Target.targetInfoChanged', ({ targetInfo }) => this.#changed(targetInfo));
    cdp.on('Target.targetDestroyed', ({ targetId }) => this.#destroyed(targetId));
    cdp.on('Target.targetCrashed', ({ targetId }) => {
      const entry = this.#entries.get(targetId);
      if (!entry) return;
      entry.crashed = true;
      this.#watchers.tell('crashed', entry);
    });
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
      void this.#prepare(sessionId, targetInfo, waitingForDebugger);
    });
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      for (const entry of this.#entries.values())
        if (entry.sessionId === sessionId) entry.sessionId = undefined;
    });
    cdp.on('DOMStorage.domStorageItemAdded', () => this.#watchers.tell('touched'));
    cdp.on('DOMStorage.domStorageItemUpdated', () => this.#watchers.tell('touched'));
    cdp.on('DOMStorage.domStorageItemRemoved', () => this.#watchers.tell('touched'));
    cdp.on('DOMStorage.domStorageItemsCleared', () => this.#watchers.tell('touched'));
    cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
      if (!frame.parentId)
        this.#navigated(
          sessionId,
          frame.unreachableUrl ?? frame.url + (frame.urlFragment ?? ''),
          frame.loaderId,
        );
    });
    cdp.on('Page.navigatedWithinDocument', ({ url, frameId }, sessionId) => {
      // The main frame of a page has the id of its target.
      if (this.#entries.has(frameId)) this.#navigated(sessionId, url);
    });
  }

  #opened(info: Protocol.Target.TargetInfo): void {
    if (info.type !== 'page' || this.#entries.has(info.targetId)) return;
    const tabId = this.#promised.get(info.targetId) ?? info.targetId;
    const { targetId, url, title, browserContextId: contextId } = info;
    const entry = { targetId, contextId, tabId, url, title, sessionId: undefined };
    this.#entries.set(info.targetId, entry);
    this.#activeTarget = info.targetId;
    this.#watchers.tell('opened', entry);
    this.#watchers.tell('touched');
  }

  #changed(info: { targetId: string; url: string; title: string }): void {
    const entry = this.#entries.get(info.targetId);
    if (!entry) return;
    if (info.url) Object.assign(entry, { url: info.url, title: info.title });
    this.#watchers.tell('touched');
  }

  #navigated(sessionId: string | undefined, url: string, loaderId?: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.sessionId !== sessionId) continue;
      entry.url = url;
      entry.loaderId = loaderId ?? entry.loaderId;
      entry.crashed = false;
      if (loaderId) this.#arrivals.get(loaderId)?.();
      this.#watchers.tell('navigated', entry);
    }
    this.#watchers.tell('touched');
  }

  #destroyed(targetId: string): void {
    const entry = this.#entries.get(targetId);
    this.#entries.delete(targetId);
    this.#promised.delete(targetId);
    this.#attached.get(targetId)?.();
    this.#attached.delete(targetId);
    if (this.#activeTarget === targetId) this.#activeTarget = [...this.#entries.keys()].at(-1);
    if (!entry) return;
    this.#watchers.tell('closed', entry);
    this.#watchers.tell('activated');
    this.#watchers.tell('touched');
  }

  /** Dresses a new target and lets it run. A target that is gone again meanwhile is no matter. */
  async #prepare(sessionId: string, info: Protocol.Target.TargetInfo, waiting: boolean): Promise<void> {
    // A second session of a tab is for one task of the service, which sees to it.
    if (this.#entries.get(info.targetId)?.sessionId) return;
    const cdp = this.#cdp;
    const isPage = info.type === 'page';
    if (isPage) this.#opened(info);
    const dressed = isPage
      ? Promise.all([
          cdp.send('Page.enable', undefined, { sessionId }),
          cdp.send('DOMStorage.enable', undefined, { sessionId }),
          this.#dress(sessionId, info.browserContextId),
        ])
      : emulateFrame(cdp, sessionId, this.#emulationOf(info.browserContextId), this.#baseUserAgent);
    // Right behind, not after: some targets answer nothing before they are let run. They obey in this order all the same.
    if (waiting) cdp.send('Runtime.runIfWaitingForDebugger', undefined, { sessionId }).catch(() => undefined);
    try {
      await dressed;
    } catch (error) {
      if (!(error instanceof CdpError)) return;
    } finally {
      const entry = this.#entries.get(info.targetId);
      if (entry) entry.sessionId = sessionId;
      this.#watchers.tell('activated');
      this.#attached.get(info.targetId)?.();
      this.#attached.delete(info.targetId);
    }
  }

  async #dress(sessionId: string, contextId: string | undefined): Promise<void> {
    const emulation = this.#emulationOf(contextId);
    const emulated = emulatePage(this.#cdp, sessionId, emulation, this.#baseUserAgent);
    const frames =
      reachesFrames(emulation) &&
      this.#cdp.send(
        'Target.setAutoAttach',
        { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
        { sessionId },
      );
    await Promise.all([emulated, frames]);
  }
}
