/**
 * The profile of a browser whose Chromium has ended goes into the vault before the browser counts as stopped, so that any node
 * can resume it with all it had. A shared storage that is away holds up no stop:
 *
 *   ended ──> packed, put ──> stopped                                   put in time
 *                        └──> stopped ──> put, tried again and again    while this node lives and the browser stays stopped
 *
 * What a service that ended did not get to is taken up by its next start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../kit/log.ts';
import { KeyedMutex } from '../../kit/mutex.ts';
import { filesOf } from '../../profiles/profiles.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import type { ProfileFolders } from '../disk/disk.ts';
import type { ProfileVault } from './profile-vault.ts';

export interface StoppedParts {
  /** Resolves when nothing is being put that was read while the browser ran. */
  settled(browserId: string): Promise<void>;
  store: Store;
  vault: ProfileVault;
  profiles: ProfileFolders;
  log: Log;
  limitBytes: number;
}

/** `follows`: it is on this disk alone, and is put once the storage can be written. `none`: there is nothing to put. */
export type Kept = 'put' | 'follows' | 'none';

/** How long a stop waits for its profile. */
const stopWaitMs = 5000;
const firstPauseMs = 2000;
const longestPauseMs = 60_000;
/** On its way to `stopped`, or to another node. */
const stopping = ['stopping', 'recovering'];

export class StoppedProfiles {
  readonly #parts: StoppedParts;
  readonly #closed = new AbortController();
  readonly #turn = new KeyedMutex();
  readonly #work = new Set<Promise<unknown>>();

  constructor(parts: StoppedParts) {
    this.#parts = parts;
  }

  /**
   * Of the browser as it is while it stops; `at` is the moment that its record will say it stopped. It is waited for as long as a
   * stop takes, and no longer than until the first failure; with `until`, a moment of `performance.now()`, through failures.
   */
  async keep(record: BrowserRecord, at: number, until?: number): Promise<Kept> {
    const failed = Promise.withResolvers<Kept>();
    const put = this.#follow(record, at, () => until === undefined && failed.resolve('follows'));
    const patienceMs = Math.max(stopWaitMs, (until ?? 0) - performance.now());
    const kept = put.then((isPut): Kept => (isPut ? 'put' : 'none'));
    const late = delay<Kept>(patienceMs, 'follows', { ref: false });
    return await Promise.race([kept, failed.promise, late]);
  }

  /** Those that an earlier run of the service left behind, one after the other. */
  async catchUp(stopped: readonly BrowserRecord[]): Promise<void> {
    for (const record of stopped)
      if (record.stoppedAt !== null && (record.vaultAt ?? 0) < record.stoppedAt)
        await this.#follow(record, record.stoppedAt);
  }

  /** What is being put gets the time of a stop; what waits for the storage stays on this disk. */
  async close(): Promise<void> {
    const done = Promise.allSettled(this.#work);
    await Promise.race([done, delay(stopWaitMs, undefined, { ref: false })]);
    this.#closed.abort(new Error('The service ends.'));
    await done;
  }

  #follow(record: BrowserRecord, at: number, onFailed?: () => void): Promise<boolean> {
    if (this.#closed.signal.aborted) return Promise.resolve(false);
    const work = this.#turn
      .run(record.id, () => this.#untilPut(record, at, onFailed))
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
    return work;
  }

  async #untilPut(record: BrowserRecord, at: number, onFailed?: () => void): Promise<boolean> {
    const { log, settled } = this.#parts;
    await settled(record.id);
    let now: BrowserRecord | undefined = record;
    for (let pauseMs = firstPauseMs; now; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await this.#put(now, at);
      } catch (error) {
        if (this.#closed.signal.aborted) return false;
        log.warn({ err: error, browserId: record.id }, 'vault.put_failed');
        onFailed?.();
      }
      await delay(pauseMs, undefined, { ref: false, signal: this.#closed.signal }).catch(() => undefined);
      if (this.#closed.signal.aborted) return false;
      now = await this.#asItIs(now, at);
    }
    return false;
  }

  async #put(record: BrowserRecord, at: number): Promise<boolean> {
    const { vault, profiles, limitBytes } = this.#parts;
    const folder = await profiles.find(record.id);
    if (folder === undefined) return false;
    const files = filesOf(folder, limitBytes);
    return vault.put(record, { files, at, hasEnded: true }, this.#closed.signal);
  }

  /**
   * Undefined when it runs again or is over: then it has no use for this any more. A resume that came to nothing has raised its
   * epoch, and it is stopped as before. A database that is away says nothing, and is asked again.
   */
  async #asItIs(record: BrowserRecord, at: number): Promise<BrowserRecord | undefined> {
    const { id, epoch, nodeId } = record;
    const now = await this.#parts.store.browsers.get(id).catch(() => record);
    if (now && stopping.includes(now.status) && now.epoch === epoch) return now;
    return now?.status === 'stopped' && now.stoppedAt === at && now.nodeId === nodeId ? now : undefined;
  }
}
