import { isDeepStrictEqual } from 'node:util';
import type { Cdp } from '../chromium/chromium.ts';
import { CdpError } from '../chromium/chromium.ts';
import { defaultEmulation, type Emulation, emulateFrame, emulatePage, reachesFrames } from './emulation.ts';

/**
 * The tabs of one Chromium, kept up to date by its own news, so that looking at them disturbs no page.
 * Every new tab is held at its first instruction until it looks the way the browser was asked to look.
 */
export interface Tab {
  tabId: string;
  url: string;
  title: string;
}

export interface TabNews {
  opened(tab: Tab): void;
  closed(tab: Tab): void;
  navigated(tab: Tab): void;
  crashed(tab: Tab): void;
  /** Something worth saving may have changed. */
  touched(): void;
}

interface Entry extends Tab {
  targetId: string;
  sessionId: string | undefined;
}

const silent: TabNews = {
  opened: () => undefined,
  closed: () => undefined,
  navigated: () => undefined,
  crashed: () => undefined,
  touched: () => undefined,
};

export class Tabs {
  readonly #cdp: Cdp;
  readonly #entries = new Map<string, Entry>();
  readonly #frameSessions = new Set<string>();
  #baseUserAgent = '';
  #emulation: Emulation = defaultEmulation;
  #activeTarget: string | undefined;
  #news: TabNews = silent;
  /** Tabs that are being reopened take the id they had before. */
  readonly #promised = new Map<string, string>();
  readonly #attached = new Map<string, () => void>();

  private constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  /** Resolves when the tab that Chromium starts with is attached and looks as it should. */
  static async watch(cdp: Cdp): Promise<Tabs> {
    const tabs = new Tabs(cdp);
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
      if (entry) Object.assign(entry, { url: info.url, title: info.title });
    }
    return this.list();
  }

  get active(): Tab | undefined {
    const entry = this.#entries.get(this.#activeTarget ?? '') ?? [...this.#entries.values()].at(-1);
    return entry && { tabId: entry.tabId, url: entry.url, title: entry.title };
  }

  sessionOf(tabId: string): string | undefined {
    return this.#find(tabId)?.sessionId;
  }

  follow(news: TabNews): void {
    this.#news = news;
  }

  async emulate(emulation: Emulation): Promise<void> {
    if (isDeepStrictEqual(emulation, this.#emulation)) return;
    this.#emulation = emulation;
    await Promise.all(
      [...this.#entries.values()].map((entry) => entry.sessionId && this.#dress(entry.sessionId)),
    );
  }

  async open(url: string, tabId?: string): Promise<string> {
    const { targetId } = await this.#cdp.send('Target.createTarget', { url: 'about:blank' });
    if (tabId) this.#rename(targetId, tabId);
    await this.#whenAttached(targetId);
    const sessionId = this.#entries.get(targetId)?.sessionId;
    if (url !== 'about:blank') await this.navigate(tabId ?? targetId, url);
    return sessionId ?? '';
  }

  /** Resolves when the page has begun to show, or cannot: `failure` is Chromium's net error. */
  async navigate(tabId: string, url: string, timeoutMs?: number): Promise<{ failure?: string }> {
    const sessionId = this.sessionOf(tabId);
    const result = await this.#cdp.send('Page.navigate', { url }, { sessionId, timeoutMs });
    return { failure: result.errorText };
  }

  async activate(tabId: string): Promise<void> {
    const entry = this.#find(tabId);
    if (!entry) return;
    this.#activeTarget = entry.targetId;
    await this.#cdp.send('Target.activateTarget', { targetId: entry.targetId });
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
      if (entry) this.#news.crashed(entry);
    });
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
      void this.#prepare(sessionId, targetInfo, waitingForDebugger);
    });
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#frameSessions.delete(sessionId);
      for (const entry of this.#entries.values())
        if (entry.sessionId === sessionId) entry.sessionId = undefined;
    });
    cdp.on('DOMStorage.domStorageItemAdded', () => this.#news.touched());
    cdp.on('DOMStorage.domStorageItemUpdated', () => this.#news.touched());
    cdp.on('DOMStorage.domStorageItemRemoved', () => this.#news.touched());
    cdp.on('DOMStorage.domStorageItemsCleared', () => this.#news.touched());
    // Dialogs are dismissed at once; leaving a page is never held up by its own question.
    cdp.on('Page.javascriptDialogOpening', ({ type }, sessionId) => {
      void cdp
        .send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }, { sessionId })
        .catch(() => undefined);
    });
  }

  #opened(info: { targetId: string; type: string; url: string; title: string }): void {
    if (info.type !== 'page' || this.#entries.has(info.targetId)) return;
    const tabId = this.#promised.get(info.targetId) ?? info.targetId;
    const entry = { targetId: info.targetId, tabId, url: info.url, title: info.title, sessionId: undefined };
    this.#entries.set(info.targetId, entry);
    this.#activeTarget = info.targetId;
    this.#news.opened(entry);
    this.#news.touched();
  }

  #changed(info: { targetId: string; url: string; title: string }): void {
    const entry = this.#entries.get(info.targetId);
    if (!entry) return;
    const moved = entry.url !== info.url;
    entry.url = info.url;
    entry.title = info.title;
    if (moved) this.#news.navigated(entry);
    this.#news.touched();
  }

  #destroyed(targetId: string): void {
    const entry = this.#entries.get(targetId);
    this.#entries.delete(targetId);
    this.#promised.delete(targetId);
    this.#attached.get(targetId)?.();
    this.#attached.delete(targetId);
    if (this.#activeTarget === targetId) this.#activeTarget = [...this.#entries.keys()].at(-1);
    if (!entry) return;
    this.#news.closed(entry);
    this.#news.touched();
  }

  /** Dresses a new target and lets it run. A target that is gone again meanwhile is no matter. */
  async #prepare(
    sessionId: string,
    info: { targetId: string; type: string; url: string; title: string },
    waiting: boolean,
  ): Promise<void> {
    const { send } = { send: this.#cdp.send.bind(this.#cdp) };
    try {
      if (info.type === 'page') {
        this.#opened(info);
        await Promise.all([
          send('Page.enable', undefined, { sessionId }),
          send('DOMStorage.enable', undefined, { sessionId }),
          this.#dress(sessionId),
        ]);
      } else {
        this.#frameSessions.add(sessionId);
        await emulateFrame(this.#cdp, sessionId, this.#emulation, this.#baseUserAgent);
      }
    } catch (error) {
      if (!(error instanceof CdpError)) return;
    } finally {
      if (waiting)
        void send('Runtime.runIfWaitingForDebugger', undefined, { sessionId }).catch(() => undefined);
      const entry = this.#entries.get(info.targetId);
      if (entry) entry.sessionId = sessionId;
      this.#attached.get(info.targetId)?.();
      this.#attached.delete(info.targetId);
    }
  }

  async #dress(sessionId: string): Promise<void> {
    await emulatePage(this.#cdp, sessionId, this.#emulation, this.#baseUserAgent);
    if (!reachesFrames(this.#emulation)) return;
    await this.#cdp.send(
      'Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
      { sessionId },
    );
  }
}
