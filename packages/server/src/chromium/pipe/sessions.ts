/**
 * Keeps up with the sessions that open and close below a client's own (tabs, frames, workers, by its wish or by
 * auto-attach), and hands their events on. Targets the client may not see are let go before it hears of them.
 */
import { type Belongings, isSeen, type TargetInfo } from '../filter/filter.ts';
import type { Cdp } from './cdp.ts';

interface SessionListener {
  /** An event the client may hear. */
  heard(event: Buffer, method: string): void;
  /** Chromium answers nothing more under these sessions. */
  gone(sessionIds: ReadonlySet<string>): void;
}

export class ClientSessions {
  readonly #cdp: Cdp;
  readonly #owned: Belongings;
  readonly #listener: SessionListener;
  readonly #taps = new Map<string, () => void>();
  readonly #offSwitch: () => void;

  constructor(cdp: Cdp, owned: Belongings, listener: SessionListener) {
    this.#cdp = cdp;
    this.#owned = owned;
    this.#listener = listener;
    this.#offSwitch = cdp.on('Target.targetInfoChanged', ({ targetInfo }) => this.#lookAway(targetInfo));
    this.#tap(owned.browserSession);
  }

  stop(): void {
    this.#offSwitch();
    for (const [sessionId, off] of this.#taps) {
      off();
      this.#cdp.waiting.release(sessionId);
      this.#cdp.choosers.release(sessionId);
    }
  }

  #tap(sessionId: string): void {
    const off = this.#cdp.tap(sessionId, (method, event) => {
      if (!method.startsWith('Target.') || this.#follow(sessionId, method, event))
        this.#listener.heard(event, method);
    });
    this.#taps.set(sessionId, off);
  }

  /** Says whether the client may know. */
  #follow(parentId: string, method: string, event: Buffer): boolean {
    const { params } = JSON.parse(event.toString()) as {
      params: { sessionId: string; targetInfo: TargetInfo; waitingForDebugger: boolean };
    };
    switch (method) {
      case 'Target.attachedToTarget':
        return this.#opened(parentId, params);
      case 'Target.detachedFromTarget':
        return this.#closed(params.sessionId);
      case 'Target.targetCreated':
      case 'Target.targetInfoChanged':
        return this.#sees(params.targetInfo);
      case 'Target.targetDestroyed':
      case 'Target.targetCrashed':
        return true;
      default:
        return false;
    }
  }

  #opened(
    parentId: string,
    attached: { sessionId: string; targetInfo: TargetInfo; waitingForDebugger: boolean },
  ): boolean {
    const { sessionId: id, targetInfo: info } = attached;
    if (!this.#sees(info)) {
      // The hidden page of an extension is not let go by the end of the session that holds it.
      if (attached.waitingForDebugger)
        void this.#cdp
          .send('Runtime.runIfWaitingForDebugger', undefined, { sessionId: id })
          .catch(() => undefined);
      this.#detach(id, parentId);
      return false;
    }
    this.#owned.addSession({
      id,
      targetId: info.targetId,
      parentId,
      contextId: info.browserContextId,
    });
    if (attached.waitingForDebugger) this.#cdp.waiting.hold(info.targetId, id);
    this.#tap(id);
    return true;
  }

  #closed(sessionId: string): boolean {
    const gone = new Set(this.#owned.dropSession(sessionId));
    for (const id of gone) {
      this.#taps.get(id)?.();
      this.#taps.delete(id);
      this.#cdp.waiting.release(id);
      this.#cdp.choosers.release(id);
    }
    this.#listener.gone(gone);
    return gone.size > 0;
  }

  /** A tab that has come to a page of Chromium's own is no longer the client's to use. */
  #lookAway(info: TargetInfo): void {
    if (this.#sees(info)) return;
    for (const { id, parentId } of this.#owned.sessionsOf(info.targetId)) this.#detach(id, parentId);
  }

  #sees(info: TargetInfo): boolean {
    return isSeen(info, this.#owned.extensionIds);
  }

  #detach(sessionId: string, parentId: string): void {
    void this.#cdp
      .send('Target.detachFromTarget', { sessionId }, { sessionId: parentId })
      .catch(() => undefined);
  }
}
