/**
 * A page of the service's own, which no list shows. Only for a Chromium that has no client and no page but an empty one: the
 * next target that appears is it.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';

export interface HiddenPage {
  sessionId: string;
  close(): void;
}

export class HiddenPages {
  readonly #cdp: Cdp;
  readonly #targets = new Set<string>();
  #awaited: ((sessionId: string) => void) | undefined;

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  /** Whether this target is one, which Chromium tells of now. */
  takes({ targetId, type }: Protocol.Target.TargetInfo): boolean {
    if (this.#awaited && type === 'page' && this.#targets.size === 0) this.#targets.add(targetId);
    return this.#targets.has(targetId);
  }

  attached(sessionId: string): void {
    this.#awaited?.(sessionId);
    this.#awaited = undefined;
  }

  gone(targetId: string): void {
    this.#targets.delete(targetId);
  }

  async open(): Promise<HiddenPage> {
    const cdp = this.#cdp;
    const attached = new Promise<string>((resolve) => {
      this.#awaited = resolve;
    });
    const page = { url: 'about:blank', background: true };
    const { targetId } = await cdp.send('Target.createTarget', page).catch((error: unknown) => {
      // What appears from now on is a caller's.
      this.#awaited = undefined;
      throw error;
    });
    const sessionId = await attached;
    // Answered before it goes anywhere: a page that changes its process in between forgets that it is listened to.
    await Promise.all([
      cdp.send('Page.enable', undefined, { sessionId }),
      cdp.send('Runtime.runIfWaitingForDebugger', undefined, { sessionId }),
    ]);
    return {
      sessionId,
      close: () => void cdp.send('Target.closeTarget', { targetId }).catch(() => undefined),
    };
  }
}
