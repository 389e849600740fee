/**
 * Which emulation holds for which tab: that of its browser context where one was set for it, otherwise that of the
 * browser. A new target gets it before its page runs.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Cdp } from '../../chromium/chromium.ts';
import { defaultEmulation, type Emulation, emulateFrame, emulatePage, reachesFrames } from './emulation.ts';

interface EmulatedPage {
  sessionId: string;
  contextId: string | undefined;
  targetId: string;
}

export class TabEmulation {
  /** Of this Chromium; a locale without a user agent is set together with it. */
  baseUserAgent = '';
  readonly #cdp: Cdp;
  readonly #hasOwnSize: (targetId: string) => boolean;
  #emulation: Emulation = defaultEmulation;
  /** Of browser contexts that look otherwise. */
  readonly #contexts = new Map<string, Emulation>();

  /** `hasOwnSize`: pages that have the size of their window instead of the viewport. */
  constructor(cdp: Cdp, hasOwnSize: (targetId: string) => boolean) {
    this.#cdp = cdp;
    this.#hasOwnSize = hasOwnSize;
  }

  /** Whether that changes anything. */
  set(emulation: Emulation): boolean {
    if (isDeepStrictEqual(emulation, this.#emulation)) return false;
    this.#emulation = emulation;
    return true;
  }

  /** null: the context is gone. */
  setContext(contextId: string, emulation: Emulation | null): void {
    if (emulation) this.#contexts.set(contextId, emulation);
    else this.#contexts.delete(contextId);
  }

  async applyToPage({ sessionId, contextId, targetId }: EmulatedPage): Promise<void> {
    const emulation = this.#of(contextId);
    const sized = this.#hasOwnSize(targetId) ? 'by its window' : 'by its viewport';
    const emulated = emulatePage(this.#cdp, sessionId, { emulation, sized }, this.baseUserAgent);
    const frames =
      reachesFrames(emulation) &&
      this.#cdp.send(
        'Target.setAutoAttach',
        { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
        { sessionId },
      );
    await Promise.all([emulated, frames]);
  }

  async applyToFrame(sessionId: string, contextId: string | undefined): Promise<void> {
    await emulateFrame(this.#cdp, sessionId, this.#of(contextId), this.baseUserAgent);
  }

  #of(contextId: string | undefined): Emulation {
    return this.#contexts.get(contextId ?? '') ?? this.#emulation;
  }
}
