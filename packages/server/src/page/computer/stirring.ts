/**
 * What an action does to a page, and when that is over: no document on its way, nothing fetched, nothing moving for a moment.
 * A page that never rests (a clock, a poll, an open stream) is left after a while all the same.
 */
import type { Running, Tab } from '../../browsers/browsers.ts';
import { lookInto, sessionOf, stirProgram } from '../reach/reach.ts';

/** These stay open by nature, or the page does not wait for them. */
const openEnded = new Set(['WebSocket', 'EventSource', 'Media', 'Ping', 'Prefetch', 'CSPViolationReport']);
/** A request without an answer for so long is a long poll. */
const hangingMs = 2000;
const quietMs = 100;
/** What moves longer than this with nothing to fetch is an animation. */
const movingMs = 700;
const lookEveryMs = 40;
const lookMs = 2000;

export class Stirring implements Disposable {
  readonly #running: Running;
  readonly #tabId: string;
  readonly #sessionId: string;
  readonly #off: (() => void)[];
  readonly #open = new Map<string, number>();
  readonly #dialog = Promise.withResolvers<void>();
  readonly openedTabs: Tab[] = [];
  navigatedTo: string | undefined;
  #loading = false;
  #changed = false;

  constructor(running: Running, tabId: string) {
    this.#running = running;
    this.#tabId = tabId;
    const { live } = running;
    this.#sessionId = live.tabs.sessionOf(tabId) ?? '';
    const mainFrame = live.tabs.targetOf(tabId);
    const { cdp } = live.chromium;
    const isMine = (frameId: string, session: string | undefined): boolean =>
      session === this.#sessionId && frameId === mainFrame;
    this.#off = [
      live.watch({
        opened: (tab) => this.openedTabs.push(tab),
        navigated: (tab) => {
          if (tab.tabId === tabId) this.navigatedTo = tab.url;
        },
        // Where the mode of the browser answers it, that has been decided by then.
        dialogOpened: () => queueMicrotask(() => this.isHeld && this.#dialog.resolve()),
        crashed: (tab) => tab.tabId === tabId && this.#dialog.resolve(),
        closed: (tab) => tab.tabId === tabId && this.#dialog.resolve(),
      }),
      cdp.on('Page.frameRequestedNavigation', ({ frameId, disposition }, session) => {
        if (isMine(frameId, session) && disposition === 'currentTab') this.#loading = true;
      }),
      cdp.on('Page.frameStartedLoading', ({ frameId }, session) => {
        if (isMine(frameId, session)) this.#loading = true;
      }),
      cdp.on('Page.frameStoppedLoading', ({ frameId }, session) => {
        if (isMine(frameId, session)) this.#loading = false;
      }),
      cdp.on('Network.requestWillBeSent', ({ requestId, type, request }, session) => {
        const counts =
          session === this.#sessionId && !openEnded.has(type ?? '') && !request.url.startsWith('data:');
        if (counts) this.#open.set(requestId, performance.now());
      }),
      cdp.on('Network.loadingFinished', ({ requestId }) => this.#open.delete(requestId)),
      cdp.on('Network.loadingFailed', ({ requestId }) => this.#open.delete(requestId)),
    ];
  }

  /** A dialog of the tab waits for the caller, or the page is gone: no answer comes from it. */
  get isHeld(): boolean {
    const { dialogs, tabs } = this.#running.live;
    return (
      dialogs.waiting(this.#tabId).length > 0 ||
      tabs.hasCrashed(this.#tabId) ||
      tabs.targetOf(this.#tabId) === undefined
    );
  }

  get changed(): boolean {
    return this.#changed || this.navigatedTo !== undefined;
  }

  /** Changes of the document are counted from now on. */
  async begin(): Promise<void> {
    await this.#look(stirProgram.call('begin'));
  }

  /** What the work gives, unless the page stands still meanwhile. */
  async unlessHeld<T>(work: Promise<T>): Promise<T | undefined> {
    const done = await Promise.race([work.then((value) => ({ value })), this.#dialog.promise]);
    // What fails later fails because of the dialog.
    if (!done) work.catch(() => undefined);
    return done?.value;
  }

  /** Resolves when the page rests, at the latest after so long. */
  async over(mostMs: number, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    for (;;) {
      if (this.isHeld) return;
      signal.throwIfAborted();
      const seen = this.#isBusy() ? undefined : await this.#look(stirProgram.callLoaded('since'));
      const passed = performance.now() - began;
      this.#changed ||= (seen?.changes ?? 0) > 0;
      // A document that does not know the program is another one than before.
      const calm = seen
        ? !seen.loading && (seen.quietMs >= quietMs || passed >= movingMs)
        : this.navigatedTo !== undefined && !this.#isBusy() && passed >= quietMs;
      if (calm || passed >= mostMs) return;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  [Symbol.dispose](): void {
    for (const off of this.#off) off();
    this.#dialog.resolve();
    if (!this.isHeld) void this.#look(stirProgram.callLoaded('end'));
  }

  #isBusy(): boolean {
    if (this.#loading) return true;
    const now = performance.now();
    for (const since of this.#open.values()) if (now - since < hangingMs) return true;
    return false;
  }

  /** Undefined: the page cannot be looked at now. */
  async #look<T>(expression: Parameters<typeof lookInto<T>>[1]): Promise<T | undefined> {
    const page = sessionOf(this.#running, this.#tabId);
    return this.unlessHeld(lookInto(page, expression, lookMs).catch(() => undefined));
  }
}
