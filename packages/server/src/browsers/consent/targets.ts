/** The pages of a Chromium, and the frames in them that are targets of their own: where documents can show banners. */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';

export interface BannerTarget {
  sessionId: string;
  /** What it is attached to. */
  own: string;
  /** The page it belongs to. */
  pageId: string;
}

export interface TargetListener {
  attached(target: BannerTarget): void;
  detached(target: BannerTarget): void;
}

export class BannerTargets {
  readonly #all = new Map<string, BannerTarget>();

  constructor(cdp: Cdp, listener: TargetListener) {
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }, parent) => {
      const target = this.#targetOf(sessionId, targetInfo, parent);
      if (!target) return;
      this.#all.set(sessionId, target);
      listener.attached(target);
    });
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      const target = this.#all.get(sessionId);
      this.#all.delete(sessionId);
      if (target) listener.detached(target);
    });
  }

  all(): BannerTarget[] {
    return [...this.#all.values()];
  }

  of(sessionId: string | undefined): BannerTarget | undefined {
    return this.#all.get(sessionId ?? '');
  }

  /** Second sessions of the service, each for a task, and what is below them are left alone. */
  #targetOf(
    sessionId: string,
    { targetId: own, type }: Protocol.Target.TargetInfo,
    parent: string | undefined,
  ): BannerTarget | undefined {
    const above = this.of(parent);
    if (this.all().some((each) => each.own === own)) return undefined;
    if (type === 'page' && parent === undefined) return { sessionId, own, pageId: own };
    return type === 'iframe' && above ? { sessionId, own, pageId: above.pageId } : undefined;
  }
}
