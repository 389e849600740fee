/** One browser as its viewers see it: its picture, its state, and how many viewers there are. */
import type { Running } from '../../browsers/browsers.ts';
import { iso } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { EndReason } from '../reach/reach.ts';
import { Controls, type Driver } from './controls.ts';
import { FailedPages } from './failed-pages.ts';
import type { Handoff } from './handoff.ts';
import { Screencast } from './screencast.ts';
import type { RecentDownload, ViewState } from './told.ts';

/** A viewer, as far as the browser has to know it. */
export interface Viewer extends Driver {
  /** Whether it may hold the browser. */
  readonly controls: boolean;
  /** The one tab that it shows; undefined: whichever is in front. */
  readonly tabId: string | undefined;
  stateChanged(): void;
  end(why: ViewEnd): void;
}

/** Why a view ends: with its browser, or with the one tab that it shows. */
export type ViewEnd = EndReason | 'tabClosed';

/** What one or several viewers look at: the tab in front, or one certain tab. */
export interface Stage {
  readonly screencast: Screencast;
  readonly controls: Controls;
}

export interface ViewedBrowserParts {
  running: Running;
  log: Log;
  handoff: Handoff;
  downloads(): Promise<RecentDownload[]>;
  /** Hands a file of the browser to its Chromium; the path is as Chromium sees it. */
  lend(fileId: string): Promise<string>;
}

const lookAgainMs = 2000;
/** A person whose connection breaks has this long to come back before scripts go on. */
const graceMs = 30_000;

export class ViewedBrowser {
  readonly running: Running;
  readonly handoff: Handoff;
  readonly failedPages: FailedPages;
  readonly #parts: ViewedBrowserParts;
  readonly #views = new Set<Viewer>();
  /** By the tab that they show; that of the tab in front has none. */
  readonly #stages = new Map<string | undefined, Stage>();
  #downloads: RecentDownload[] = [];
  #off: (() => void)[] = [];
  #grace: NodeJS.Timeout | undefined;

  constructor(parts: ViewedBrowserParts) {
    this.#parts = parts;
    this.running = parts.running;
    this.handoff = parts.handoff;
    this.failedPages = new FailedPages(parts.running, () => this.#tellAll());
  }

  get viewers(): number {
    return this.#views.size;
  }

  /** Those without a hand on it. */
  get watching(): number {
    return [...this.#views].filter(({ controls }) => !controls).length;
  }

  /** Viewers of the same tab share one. */
  stageOf(tabId: string | undefined): Stage {
    const known = this.#stages.get(tabId);
    if (known) return known;
    const isViewers = (sessionId: string): boolean =>
      [...this.#stages.values()].some(({ controls }) => controls.listensIn(sessionId));
    const controls = new Controls({ ...this.#parts, isViewers });
    const screencast = new Screencast(this.running, this.#parts.log, tabId);
    screencast.follow(controls);
    const stage = { screencast, controls };
    this.#stages.set(tabId, stage);
    return stage;
  }

  entered(view: Viewer): void {
    if (view.controls) clearTimeout(this.#grace);
    this.#views.add(view);
    if (this.#views.size === 1) this.#watch();
    if (view.tabId !== undefined) void this.failedPages.look(view.tabId);
    this.#tellAll();
  }

  left(view: Viewer): void {
    if (!this.#views.delete(view)) return;
    this.#stages.get(view.tabId)?.controls.release(view);
    const isLast = ![...this.#views].some(({ tabId }) => tabId === view.tabId);
    if (isLast && view.tabId !== undefined) this.#stages.delete(view.tabId);
    this.#tellAll();
    if (this.#views.size === 0) for (const off of this.#off.splice(0)) off();
    const anyControls = [...this.#views].some(({ controls }) => controls);
    if (view.controls && !anyControls && this.handoff.view.state === 'person')
      this.#grace = setTimeout(() => this.handoff.giveBack('left'), graceMs).unref();
  }

  end(why: EndReason): void {
    for (const view of [...this.#views]) view.end(why);
    clearTimeout(this.#grace);
  }

  /** As a viewer of one certain tab sees it, or of whichever is in front. */
  state(pinned: string | undefined): ViewState {
    const { tabs, dialogs } = this.running.live;
    const { state, ended, message, since } = this.handoff.view;
    const shown = pinned ?? tabs.active?.tabId;
    const failed = this.failedPages.of(shown);
    const isSeen = ({ tabId }: { tabId?: string }): boolean => pinned === undefined || tabId === pinned;
    return {
      tabs: tabs.list().filter(isSeen),
      activeTabId: shown ?? null,
      ...(failed && { failed }),
      dialogs: dialogs.waiting().filter(isSeen),
      downloads: this.#downloads.filter(isSeen),
      handoff: {
        state,
        ...(ended !== undefined && { ended }),
        ...(message !== undefined && { message }),
        since: iso(since),
      },
      viewers: this.#views.size,
    };
  }

  #watch(): void {
    const changed = (): void => this.#tellAll();
    const unwatch = this.running.live.watch({
      opened: changed,
      closed: (tab) => {
        this.#endViewsOf(tab.tabId);
        changed();
      },
      navigated: changed,
      activated: changed,
      dialogOpened: changed,
      dialogClosed: changed,
    });
    void this.#look();
    const timer = setInterval(() => void this.#look(), lookAgainMs).unref();
    const handedOver = (): void => {
      if (this.handoff.view.state === 'scripts')
        for (const { controls } of this.#stages.values()) controls.release();
      changed();
    };
    this.#off = [
      unwatch,
      this.failedPages.watch(),
      this.handoff.onChange(handedOver),
      () => clearInterval(timer),
    ];
  }

  /** The tabs of a browser that ends close as well, which says nothing about them: they come back with it. */
  #endViewsOf(tabId: string): void {
    if (this.running.left.aborted) return;
    for (const view of [...this.#views]) if (view.tabId === tabId) view.end('tabClosed');
  }

  /** What Chromium tells only when it is asked: titles. And what is known elsewhere: downloads. */
  async #look(): Promise<void> {
    try {
      const [downloads] = await Promise.all([this.#parts.downloads(), this.running.live.tabs.refresh()]);
      this.#downloads = downloads;
      this.#tellAll();
    } catch (error) {
      if (!this.running.left.aborted)
        this.#parts.log.warn({ err: error, browserId: this.running.id }, 'view.look_failed');
    }
  }

  #tellAll(): void {
    for (const view of this.#views) view.stateChanged();
  }
}
