/** One browser as its viewers see it: its picture, its state, and how many viewers there are. */
import type { Running, Tab } from '../../browsers/browsers.ts';
import type { Dialog } from '../../browsers/record/dialog-schema.ts';
import { iso } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { EndReason } from '../reach/reach.ts';
import { Controls, type Driver } from './controls.ts';
import { type FailedPage, FailedPages } from './failed-pages.ts';
import type { Handoff, HandoffState } from './handoff.ts';
import { Screencast } from './screencast.ts';

export interface RecentDownload {
  id: string;
  suggestedFilename: string;
  state: string;
  receivedBytes: number;
  totalBytes?: number;
}

export interface ViewState {
  tabs: Tab[];
  activeTabId: string | null;
  /** Of the active tab, where it shows no page. */
  failed?: FailedPage;
  dialogs: Dialog[];
  downloads: RecentDownload[];
  handoff: { state: HandoffState; message?: string; since: string };
  viewers: number;
}

/** A viewer, as far as the browser has to know it. */
export interface Viewer extends Driver {
  /** Whether it may hold the browser. */
  readonly controls: boolean;
  stateChanged(): void;
  end(why: EndReason): void;
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
  readonly screencast: Screencast;
  readonly controls: Controls;
  readonly handoff: Handoff;
  readonly failedPages: FailedPages;
  readonly #parts: ViewedBrowserParts;
  readonly #views = new Set<Viewer>();
  #downloads: RecentDownload[] = [];
  #off: (() => void)[] = [];
  #grace: NodeJS.Timeout | undefined;

  constructor(parts: ViewedBrowserParts) {
    this.#parts = parts;
    this.running = parts.running;
    this.handoff = parts.handoff;
    this.controls = new Controls(parts);
    this.screencast = new Screencast(parts.running, parts.log);
    this.screencast.follow(this.controls);
    this.failedPages = new FailedPages(parts.running, () => this.#tellAll());
  }

  get viewers(): number {
    return this.#views.size;
  }

  /** Those without a hand on it. */
  get watching(): number {
    return [...this.#views].filter(({ controls }) => !controls).length;
  }

  entered(view: Viewer): void {
    if (view.controls) clearTimeout(this.#grace);
    this.#views.add(view);
    if (this.#views.size === 1) this.#watch();
    this.#tellAll();
  }

  left(view: Viewer): void {
    if (!this.#views.delete(view)) return;
    this.controls.release(view);
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

  state(): ViewState {
    const { tabs, dialogs } = this.running.live;
    const { state, message, since } = this.handoff.view;
    const failed = this.failedPages.of(tabs.active?.tabId);
    return {
      tabs: tabs.list(),
      activeTabId: tabs.active?.tabId ?? null,
      ...(failed && { failed }),
      dialogs: dialogs.waiting(),
      downloads: this.#downloads,
      handoff: { state, ...(message !== undefined && { message }), since: iso(since) },
      viewers: this.#views.size,
    };
  }

  #watch(): void {
    const changed = (): void => this.#tellAll();
    const unwatch = this.running.live.watch({
      opened: changed,
      closed: changed,
      navigated: changed,
      activated: changed,
      dialogOpened: changed,
      dialogClosed: changed,
    });
    void this.#look();
    const timer = setInterval(() => void this.#look(), lookAgainMs).unref();
    const handedOver = (): void => {
      if (this.handoff.view.state === 'scripts') this.controls.release();
      changed();
    };
    this.#off = [
      unwatch,
      this.failedPages.watch(),
      this.handoff.onChange(handedOver),
      () => clearInterval(timer),
    ];
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
