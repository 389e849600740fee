/**
 * Whether pages have changed their local storage since it was last saved. Chromium tells of each change with the old and the new
 * value, so a page that rewrites five megabytes in a loop would send hundreds of megabytes a second. One change says it all:
 *
 *   listening ── a change ──> told, and silent ── about to be saved ──> listening
 */
import type { Cdp } from '../../chromium/chromium.ts';
import type { Watchers } from './watchers.ts';

export class StorageChanges {
  readonly #cdp: Cdp;
  readonly #silent = new Set<string>();

  constructor(cdp: Cdp, watchers: Pick<Watchers, 'notify'>) {
    this.#cdp = cdp;
    for (const change of ['ItemAdded', 'ItemUpdated', 'ItemRemoved', 'ItemsCleared'] as const)
      cdp.onSign(`DOMStorage.domStorage${change}`, (sessionId) => {
        // Also of one that was on its way while Chromium was told to be silent: another save is soon done.
        watchers.notify('storageChanged', sessionId);
        this.#silence(sessionId);
      });
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => this.#silent.delete(sessionId));
  }

  /** Before the storage is read, so that a change during that is told again: Chromium takes commands in their order. */
  async listen(sessionId: string): Promise<void> {
    this.#silent.delete(sessionId);
    await this.#cdp.send('DOMStorage.enable', undefined, { sessionId });
  }

  #silence(sessionId: string): void {
    if (this.#silent.has(sessionId)) return;
    this.#silent.add(sessionId);
    // A page that has gone, or is too busy to hear it, changes nothing that could be saved.
    this.#cdp.send('DOMStorage.disable', undefined, { sessionId }).catch(() => undefined);
  }
}
