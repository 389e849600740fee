/**
 * New targets of one Chromium. Each is held at its first instruction until it looks the way the browser was asked to look, and is
 * known to be attached then; one beyond the limit of tabs is closed.
 */
import type { Protocol } from 'devtools-protocol';
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import { networkBuffers } from '../network/network.ts';
import type { StorageChanges } from './storage-changes.ts';
import type { EmulatedPage, TabEmulation } from './tab-emulation.ts';
import type { TabLimits } from './tab-limits.ts';
import type { TabList } from './tab-list.ts';
import type { Windows } from './windows.ts';

interface NewTargetsParts {
  cdp: Cdp;
  list: TabList;
  limits: TabLimits;
  emulation: TabEmulation;
  storage: StorageChanges;
  windows: Windows;
  isGuests(contextId: string | undefined): boolean;
}

/** How long a client may keep a new page waiting; a page must not hang for ever because of a client that does. */
const clientPatienceMs = 10_000;

export class NewTargets {
  readonly #parts: NewTargetsParts;
  readonly #attached = new Map<string, () => void>();
  /** Tabs that the service itself is about to open. */
  #opening = 0;

  constructor(parts: NewTargetsParts) {
    this.#parts = parts;
  }

  /** One that the service opens: `create` gives its id. Resolves when it is attached. */
  async open(create: () => Promise<string>): Promise<string> {
    this.#opening++;
    try {
      const targetId = await create();
      await this.whenAttached(targetId);
      return targetId;
    } finally {
      this.#opening--;
    }
  }

  whenAttached(targetId: string): Promise<void> {
    if (this.#parts.list.ofTarget(targetId)?.sessionId) return Promise.resolve();
    return new Promise((resolve) => this.#attached.set(targetId, resolve));
  }

  /** It is attached, or never will be. */
  settle(targetId: string): void {
    this.#attached.get(targetId)?.();
    this.#attached.delete(targetId);
  }

  /** Sets a new target up and lets it run. It may be gone again before that is done. */
  async prepare(sessionId: string, info: Protocol.Target.TargetInfo, waiting: boolean): Promise<void> {
    const { cdp, list, limits, emulation, storage, isGuests } = this.#parts;
    // A second session of a tab belongs to one task of the service, which sets it up itself.
    if (list.ofTarget(info.targetId)?.sessionId) return;
    const { type, targetId, browserContextId: contextId } = info;
    if (!list.ofTarget(targetId) && !limits.admits(info, list.count)) {
      limits.close(targetId, sessionId);
      this.settle(targetId);
      return;
    }
    if (type === 'page') list.opened(info);
    const page = { sessionId, contextId, targetId };
    // At once: what a client asks of its new page comes later, and counts.
    const prepared =
      type === 'page'
        ? Promise.all([
            cdp.send('Page.enable', undefined, { sessionId }),
            // What a guest stores is in no checkpoint. Its visit hears what it asks for, from its first request on: a page that
            // is told of it only then may have begun to load before it has heard.
            isGuests(contextId)
              ? cdp.send('Network.enable', networkBuffers, { sessionId })
              : storage.listen(sessionId),
            emulation.applyToPage(page),
          ])
        : emulation.applyToFrame(sessionId, contextId);
    // A page that the service opens has the usual window, as has the first.
    const sized = type === 'page' && waiting && this.#opening === 0 && this.#sizeAsItsWindow(page);
    // It may fail before it is waited for.
    prepared.catch(() => undefined);
    await sized;
    // Right behind, not after the answers: some targets answer nothing before they run. Commands are carried out in the order sent.
    if (waiting) void this.#letRun(sessionId, targetId).catch(() => undefined);
    try {
      await prepared;
    } catch (error) {
      if (!(error instanceof CdpError)) return;
    } finally {
      list.attached(targetId, sessionId);
      this.settle(targetId);
    }
  }

  async #sizeAsItsWindow(page: EmulatedPage): Promise<void> {
    const { windows, emulation } = this.#parts;
    await windows.look(page.targetId).catch(() => undefined);
    // Right before it is let run: the answer is not waited for.
    if (windows.decides(page.targetId)) emulation.applySize(page).catch(() => undefined);
  }

  async #letRun(sessionId: string, targetId: string): Promise<void> {
    const { cdp } = this.#parts;
    await cdp.freeOfClients(targetId, clientPatienceMs);
    await cdp.send('Runtime.runIfWaitingForDebugger', undefined, { sessionId });
  }
}
