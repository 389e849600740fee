/**
 * Where requests come from: pages, and the frames and workers below them that are targets of their own. Each is held until
 * its network agent is on, so that its first request is not missed.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import type { NetworkRequest } from './schema.ts';

/** Of what pages load, Chromium keeps so much to be asked for: enough for documents and what they fetch. */
export const networkBuffers = {
  maxTotalBufferSize: 4 * 1024 ** 2,
  maxResourceBufferSize: 2 * 1024 ** 2,
  maxPostDataSize: 0,
};

const below = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

export interface Source {
  /** What it is attached to. */
  own: string;
  /** The page it belongs to, and that page's browser context. */
  targetId: string;
  contextId: string | undefined;
  from: NetworkRequest['from'];
}

const kindOf = (type: string): NetworkRequest['from'] | undefined => {
  if (type === 'page') return 'page';
  if (type === 'iframe') return 'frame';
  if (type === 'service_worker') return 'service_worker';
  return /worker/.test(type) ? 'worker' : undefined;
};

export class Sources {
  readonly #cdp: Cdp;
  readonly #isGuests: (contextId: string | undefined) => boolean;
  readonly #sessions = new Map<string, Source>();

  /**
   * Before anything else listens for targets: it must be on before a page is let run. `isGuests`: pages of these browser
   * contexts are followed only from when that is asked for.
   */
  constructor(
    cdp: Cdp,
    isGuests: (contextId: string | undefined) => boolean,
    onGone: (sessionId: string, source: Source) => void,
  ) {
    this.#cdp = cdp;
    this.#isGuests = isGuests;
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }, parent) =>
      this.#attached(sessionId, targetInfo, parent),
    );
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      const source = this.#sessions.get(sessionId);
      this.#sessions.delete(sessionId);
      if (source) onGone(sessionId, source);
    });
  }

  of(sessionId: string | undefined): Source | undefined {
    return this.#sessions.get(sessionId ?? '');
  }

  /** A page that has asked for nothing yet. */
  follow(sessionId: string, targetId: string, contextId: string): void {
    this.#follow(sessionId, { own: targetId, targetId, contextId, from: 'page' });
  }

  #attached(sessionId: string, info: Protocol.Target.TargetInfo, parent: string | undefined): void {
    const from = kindOf(info.type);
    const above = this.of(parent);
    // Second sessions of the service hear the same again; so do those below them.
    const isSecond = [...this.#sessions.values()].some(({ own }) => own === info.targetId);
    if (!from || isSecond || (parent ? !above : from !== 'page')) return;
    if (!above && this.#isGuests(info.browserContextId)) return;
    this.#follow(sessionId, {
      own: info.targetId,
      targetId: above?.targetId ?? info.targetId,
      contextId: above?.contextId ?? info.browserContextId,
      from,
    });
  }

  #follow(sessionId: string, source: Source): void {
    this.#sessions.set(sessionId, source);
    void this.#cdp.send('Network.enable', networkBuffers, { sessionId }).catch(() => undefined);
    // The tabs let each of them run once it is set up.
    if (source.from !== 'service_worker')
      void this.#cdp.send('Target.setAutoAttach', below, { sessionId }).catch(() => undefined);
  }
}
