/**
 * Which emulation holds for which tab: that of its browser context where one was set for it, otherwise that of the
 * browser. A new target gets it before its page runs.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Cdp } from '../../chromium/chromium.ts';
import {
  type Aspect,
  aspectsOf,
  defaultEmulation,
  type Emulation,
  emulateFrame,
  emulatePage,
  type FrameEmulation,
  mediaOf,
  type OwnIdentity,
  type PageEmulation,
  reachesFrames,
  sizePage,
} from './emulation.ts';

export type Viewport = Emulation['viewport'];

export interface EmulatedPage {
  sessionId: string;
  contextId: string | undefined;
  targetId: string;
}

/** How things are, and what pages were told at any time. */
interface Wanted {
  emulation: Emulation;
  told: Set<Aspect>;
}

const wanted = (emulation: Emulation): Wanted => ({ emulation, told: new Set(aspectsOf(emulation)) });

export class TabEmulation {
  /** Of this Chromium; a locale without a user agent is set together with it. */
  own: OwnIdentity = { userAgent: '', version: '' };
  readonly #cdp: Cdp;
  readonly #hasOwnSize: (targetId: string) => boolean;
  readonly #browser: Wanted = wanted(defaultEmulation);
  /** Of browser contexts that look otherwise. */
  readonly #contexts = new Map<string, Wanted>();
  /** Of single tabs, by their targets. */
  readonly #viewports = new Map<string, Viewport>();
  /** Frames and workers in processes of their own: session → browser context. */
  readonly #frames = new Map<string, string | undefined>();

  /** `hasOwnSize`: pages that have the size of their window instead of the viewport. */
  constructor(cdp: Cdp, hasOwnSize: (targetId: string) => boolean) {
    this.#cdp = cdp;
    this.#hasOwnSize = hasOwnSize;
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => this.#frames.delete(sessionId));
    cdp.on('Target.targetDestroyed', ({ targetId }) => this.#viewports.delete(targetId));
  }

  /** Whether that changes anything. */
  set(emulation: Emulation): boolean {
    if (isDeepStrictEqual(emulation, this.#browser.emulation)) return false;
    this.#browser.emulation = emulation;
    for (const aspect of aspectsOf(emulation)) this.#browser.told.add(aspect);
    return true;
  }

  /** null: the context is gone. Whether its pages have to be told. */
  setContext(contextId: string, emulation: Emulation | null): boolean {
    if (!emulation) {
      this.#contexts.delete(contextId);
      return false;
    }
    if (isDeepStrictEqual(emulation, this.#contexts.get(contextId)?.emulation)) return false;
    this.#contexts.set(contextId, wanted(emulation));
    return true;
  }

  /** null: the tab has that of its browser again. */
  setViewport(targetId: string, viewport: Viewport | null): void {
    if (viewport) this.#viewports.set(targetId, viewport);
    else this.#viewports.delete(targetId);
  }

  viewportOf(targetId: string): Viewport | undefined {
    return this.#viewports.get(targetId);
  }

  /** What the pages of the browser itself are told of their media; undefined: nothing. */
  get media(): { name: string; value: string }[] | undefined {
    const { emulation, told } = this.#browser;
    return told.has('media') ? mediaOf(emulation) : undefined;
  }

  get hasNetwork(): boolean {
    return this.#browser.emulation.network !== undefined;
  }

  async applyToPage(page: EmulatedPage): Promise<void> {
    const look = this.#ofPage(page);
    const emulated = emulatePage(this.#cdp, page.sessionId, look);
    await Promise.all([emulated, this.#followFrames(page.sessionId, look)]);
  }

  /** Once it is known of what size its window is. */
  async applySize(page: EmulatedPage): Promise<void> {
    await sizePage(this.#cdp, page.sessionId, this.#ofPage(page));
  }

  async applyToFrame(sessionId: string, contextId: string | undefined): Promise<void> {
    this.#frames.set(sessionId, contextId);
    const look = this.#of(contextId);
    // A worker may have no targets below it.
    const frames = this.#followFrames(sessionId, look).catch(() => undefined);
    await Promise.all([emulateFrame(this.#cdp, sessionId, look), frames]);
  }

  /** Of the browser itself, not of contexts that look otherwise. */
  async applyToFrames(): Promise<void> {
    const frames = [...this.#frames].filter(([, contextId]) => !this.#contexts.has(contextId ?? ''));
    await Promise.all(frames.map(([sessionId, contextId]) => this.applyToFrame(sessionId, contextId)));
  }

  async #followFrames(sessionId: string, { emulation, told }: FrameEmulation): Promise<void> {
    if (!reachesFrames(emulation, told)) return;
    await this.#cdp.send(
      'Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
      { sessionId },
    );
  }

  #ofPage({ contextId, targetId }: EmulatedPage): PageEmulation {
    const look = this.#of(contextId);
    const viewport = this.#viewports.get(targetId);
    const emulation = { ...look.emulation, ...(viewport && { viewport }) };
    // Asked for this very tab, it beats a window that some page or client sized.
    return {
      ...look,
      emulation,
      sized: !viewport && this.#hasOwnSize(targetId) ? 'by its window' : 'by its viewport',
    };
  }

  #of(contextId: string | undefined): FrameEmulation {
    return { ...(this.#contexts.get(contextId ?? '') ?? this.#browser), own: this.own };
  }
}
