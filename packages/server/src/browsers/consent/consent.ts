/**
 * Declines cookie banners in the pages of one Chromium, for an owner whose policy says so. The script that does it is given to
 * each page and frame before it runs, for a world of its own; without that wish no page is touched.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import { type BannerLibrary, theLibrary } from './banner-library.ts';
import { BannerDocument, worldName } from './document.ts';
import type { Dealt } from './inside/inside.ts';
import { type BannerTarget, BannerTargets } from './targets.ts';

export interface DealtBanner extends Dealt {
  /** The page that it was in. */
  targetId: string;
}

export interface ConsentParts {
  cdp: Cdp;
  onDealt(banner: DealtBanner): void;
}

const patienceMs = 2000;
/** Documents and frames of one page within a while, and at one time: a page can make them by the thousand. */
const mostDocuments = 50;
const documentsMs = 1000;
const mostFollowed = 100;
/** Usually over before a page is loaded; a page that is busy with itself is not waited for. */
const firstLookMs = 3000;
const below = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

interface Followed {
  pageId: string;
  frameId: string;
  loaderId: string;
  document: BannerDocument;
}

export class Consent {
  readonly #parts: ConsentParts;
  readonly #targets: BannerTargets;
  /** Session → the script that it was given. */
  readonly #scripts = new Map<string, Promise<string | undefined>>();
  /** By session and frame. */
  readonly #followed = new Map<string, Followed>();
  readonly #floods = new Map<string, FloodWindow>();
  readonly #changed = new Set<() => void>();
  #library: BannerLibrary | undefined;
  #counts: { declined: number; failed: number } | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** Before anything else listens for targets: the script must be there before a page is let run. */
  constructor(parts: ConsentParts) {
    this.#parts = parts;
    this.#targets = new BannerTargets(parts.cdp, {
      attached: (target) => void (this.#library && this.#cover(target, this.#library)),
      detached: (target) => this.#forget(target),
    });
    parts.cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
      const target = this.#targets.of(sessionId);
      if (target) this.#follow(target, frame);
    });
    parts.cdp.on('Page.frameDetached', ({ frameId }, sessionId = '') =>
      this.#followed.delete(placeOf(sessionId, frameId)),
    );
  }

  /** Since it was wanted; undefined: it is not. */
  counts(): { declined: number; failed: number } | undefined {
    return this.#counts && { ...this.#counts };
  }

  /** Resolves when it holds, in what is open already, too. */
  set(isWanted: boolean): Promise<void> {
    this.#counts = isWanted ? (this.#counts ?? { declined: 0, failed: 0 }) : undefined;
    const applied = this.#turn.then(() => (this.#counts ? this.#begin() : this.#end()));
    this.#turn = applied.catch(() => undefined);
    return applied;
  }

  /** Resolves when the page has been looked at once and shows no banner that is known of, or after so long. */
  async settled(pageId: string, mostMs: number): Promise<void> {
    const began = performance.now();
    for (;;) {
      const followed = this.#of(pageId);
      const isBusy = followed.some(({ document }) => document.state === 'busy');
      // A page may wait long for the document of a frame.
      const isUnknown = followed.some(
        ({ document: { state }, frameId }) =>
          state === 'looking' || (state === 'waiting' && frameId === pageId),
      );
      const most = isBusy ? mostMs : isUnknown ? Math.min(firstLookMs, mostMs) : 0;
      const left = most - (performance.now() - began);
      if (left <= 0) return;
      await this.#change(left);
    }
  }

  async #begin(): Promise<void> {
    const library = await theLibrary();
    this.#library = library;
    await orTired(this.#targets.all().map((target) => this.#cover(target, library)));
  }

  async #end(): Promise<void> {
    this.#library = undefined;
    const removed = [...this.#scripts].map(([sessionId, script]) => this.#uncover(sessionId, script));
    this.#scripts.clear();
    for (const { document } of this.#followed.values()) document.end();
    this.#followed.clear();
    this.#tell();
    await orTired(removed);
  }

  /** Sent in one go: a new target is let run right behind. */
  async #cover(target: BannerTarget, library: BannerLibrary): Promise<void> {
    const { sessionId, own, pageId } = target;
    if (this.#scripts.has(sessionId) || (own !== pageId && !this.#admits(pageId))) return;
    const { cdp } = this.#parts;
    const source = own === pageId ? library.forPages : library.forFrames;
    const script = { source, worldName, runImmediately: true };
    void cdp.send('Page.enable', undefined, { sessionId }).catch(() => undefined);
    // In a page without scripts of its own Chromium runs one for another world only while the console is heard.
    void cdp.send('Runtime.enable', undefined, { sessionId }).catch(() => undefined);
    const added = cdp
      .send('Page.addScriptToEvaluateOnNewDocument', script, { sessionId })
      .then(({ identifier }) => identifier)
      .catch(() => undefined);
    void cdp.send('Target.setAutoAttach', below, { sessionId }).catch(() => undefined);
    this.#scripts.set(sessionId, added);
    void this.#followOpen(target).catch(() => undefined);
    await added;
  }

  async #uncover(sessionId: string, script: Promise<string | undefined>): Promise<void> {
    const identifier = await script;
    if (identifier === undefined) return;
    await this.#parts.cdp
      .send('Page.removeScriptToEvaluateOnNewDocument', { identifier }, { sessionId })
      .catch(() => undefined);
  }

  /** What was there before the script. */
  async #followOpen(target: BannerTarget): Promise<void> {
    const { sessionId } = target;
    const { frameTree } = await this.#parts.cdp.send('Page.getFrameTree', undefined, { sessionId });
    const follow = ({ frame, childFrames = [] }: Protocol.Page.FrameTree): void => {
      this.#follow(target, frame);
      childFrames.forEach(follow);
    };
    follow(frameTree);
  }

  #follow({ sessionId, pageId }: BannerTarget, { id: frameId, loaderId, url }: Protocol.Page.Frame): void {
    const library = this.#library;
    const place = placeOf(sessionId, frameId);
    if (!library || this.#followed.get(place)?.loaderId === loaderId) return;
    this.#followed.delete(place);
    if (!/^https?:/.test(url) || this.#of(pageId).length >= mostFollowed || !this.#admits(pageId)) return;
    const document = new BannerDocument({
      cdp: this.#parts.cdp,
      library,
      sessionId,
      frameId,
      onChange: () => this.#tell(),
      onDealt: (banner) => this.#dealt({ ...banner, targetId: pageId }),
    });
    this.#followed.set(place, { pageId, frameId, loaderId, document });
    const done = (): void => {
      if (this.#followed.get(place)?.document === document) this.#followed.delete(place);
      this.#tell();
    };
    document.follow().then(done, done);
  }

  #of(pageId: string): Followed[] {
    return [...this.#followed.values()].filter((each) => each.pageId === pageId);
  }

  #dealt(banner: DealtBanner): void {
    if (!this.#counts) return;
    this.#counts[banner.declined ? 'declined' : 'failed']++;
    this.#parts.onDealt(banner);
  }

  #forget({ sessionId, own, pageId }: BannerTarget): void {
    this.#scripts.delete(sessionId);
    for (const place of this.#followed.keys())
      if (place.startsWith(placeOf(sessionId, ''))) this.#followed.delete(place);
    if (own === pageId) this.#floods.delete(pageId);
    this.#tell();
  }

  #admits(pageId: string): boolean {
    const window = this.#floods.get(pageId) ?? new FloodWindow(mostDocuments, documentsMs);
    this.#floods.set(pageId, window);
    return window.admits();
  }

  #tell(): void {
    for (const tell of this.#changed) tell();
  }

  /** Resolves at the next change, or after so long. */
  #change(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#changed.delete(done);
        resolve();
      };
      const timer = setTimeout(done, mostMs).unref();
      this.#changed.add(done);
    });
  }
}

/** A page that does not answer takes what it was sent as soon as it does. */
const orTired = (answers: Promise<void>[]): Promise<unknown> =>
  Promise.race([Promise.all(answers), sleep(patienceMs, undefined, { ref: false })]);

const placeOf = (sessionId: string, frameId: string): string => `${sessionId} ${frameId}`;
