/**
 * Tells those who wait for a create when it is one no more. One statement looks for all that wait on this node: each thing that
 * happens in a project would otherwise make every caller of that project ask for itself, hundreds of them each time.
 *
 *   hint, or half a second without one ──> which of these are still `creating`? ──> those that are not are told
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../kit/log.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import type { Store } from '../../store/records.ts';

/** Without a hint that something has happened. */
export const lookEveryMs = 500;
/** Hints that come together are answered together. */
const restMs = 50;

export class LineLooks {
  readonly #store: Store;
  readonly #log: Log;
  /** How to tell whom, by browser. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #news = Promise.withResolvers<void>();
  #looks = false;

  constructor({ store, log }: { store: Store; log: Log }) {
    this.#store = store;
    this.#log = log;
  }

  /** Resolves when the browser has left `creating`, at the latest after so long. */
  async changed(id: string, { withinMs, signal }: { withinMs: number; signal: AbortSignal }): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const told = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, told.add(resolve));
    const late = setTimeout(resolve, withinMs).unref();
    this.#begin();
    try {
      await orAborted(promise, signal);
    } finally {
      clearTimeout(late);
      told.delete(resolve);
      if (told.size === 0) this.#waiting.delete(id);
    }
  }

  #begin(): void {
    if (this.#looks) return;
    this.#looks = true;
    void this.#keepLooking();
  }

  async #keepLooking(): Promise<void> {
    const unwatch = this.#store.events.watch(() => this.#news.resolve());
    while (this.#waiting.size > 0) {
      this.#news = Promise.withResolvers();
      await this.#look();
      await delay(restMs, undefined, { ref: false });
      await Promise.race([this.#news.promise, delay(lookEveryMs - restMs, undefined, { ref: false })]);
    }
    unwatch();
    this.#looks = false;
  }

  /** A database that is away for a moment ends no wait. */
  async #look(): Promise<void> {
    const ids = [...this.#waiting.keys()];
    try {
      const creating = await this.#store.placement.creating(ids);
      for (const id of ids) if (!creating.has(id)) for (const tell of this.#waiting.get(id) ?? []) tell();
    } catch (error) {
      this.#log.warn({ err: error, browsers: ids.length }, 'line.look_failed');
    }
  }
}
