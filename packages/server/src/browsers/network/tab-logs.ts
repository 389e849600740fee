/** The rings of all tabs of one Chromium: of the open ones, and for a while of those that were closed. */
import type { LoggedRequest } from './logged-request.ts';
import { type Bounds, Ring } from './ring.ts';

const usual: Bounds = { requests: 1000, bytes: 4 * 1024 ** 2 };
/** Of all closed tabs together. */
const closedBounds = { tabs: 10, bytes: 4 * 1024 ** 2 };

/** For a HAR of all that a browser has asked for: the last of it, where it is more. */
const harBounds: Bounds = { requests: 10_000, bytes: 16 * 1024 ** 2 };

export interface TabLog {
  targetId: string;
  /** Of a tab that is closed; of an open one the tabs know. */
  tabId?: string;
  ring: Ring;
  /** Requests that were only counted. */
  dropped: number;
}

export class TabLogs {
  readonly #open = new Map<string, TabLog>();
  readonly #closed: TabLog[] = [];
  #bounds = usual;
  #keepClosed = closedBounds;

  /** From now on all of it is kept, within larger bounds. */
  keepAll(): void {
    this.#bounds = harBounds;
    this.#keepClosed = { tabs: 1000, bytes: harBounds.bytes };
    for (const { ring } of this.#open.values()) ring.bounds = harBounds;
  }

  all(): TabLog[] {
    return [...this.#closed, ...this.#open.values()];
  }

  of(targetId: string): Ring | undefined {
    return this.#open.get(targetId)?.ring;
  }

  open(targetId: string): Ring {
    return this.#logOf(targetId).ring;
  }

  drop(targetId: string): void {
    this.#logOf(targetId).dropped++;
  }

  close(targetId: string, tabId: string | undefined): void {
    const log = this.#open.get(targetId);
    this.#open.delete(targetId);
    if (!log || tabId === undefined) return;
    this.#closed.push({ ...log, tabId });
    const bytes = (): number => this.#closed.reduce((sum, { ring }) => sum + ring.bytes, 0);
    while (this.#closed.length > this.#keepClosed.tabs || bytes() > this.#keepClosed.bytes)
      this.#closed.shift();
  }

  /** Nothing is kept of it. */
  forget(targetId: string): void {
    this.#open.delete(targetId);
    const at = this.#closed.findIndex((log) => log.targetId === targetId);
    if (at >= 0) this.#closed.splice(at, 1);
  }

  find(id: string): { log: TabLog; request: LoggedRequest } | undefined {
    for (const log of this.all()) {
      const request = log.ring.get(id);
      if (request) return { log, request };
    }
    return undefined;
  }

  #logOf(targetId: string): TabLog {
    const known = this.#open.get(targetId);
    if (known) return known;
    const log = { targetId, ring: new Ring(this.#bounds), dropped: 0 };
    this.#open.set(targetId, log);
    return log;
  }
}
