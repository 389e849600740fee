/**
 * The rings of all tabs of one Chromium: of the open ones, and for a while of those that were closed. Pages open tabs and decide
 * how much each asks for, so besides the bounds of each ring there is one for all of them: the tab that has most gives up its oldest.
 */
import type { LoggedRequest } from './logged-request.ts';
import { type Bounds, Ring, type RingKeeper } from './ring.ts';

interface LogBounds {
  tab: Bounds;
  /** Of all closed tabs together. */
  closed: { tabs: number; bytes: number };
  /** Of all tabs together. */
  bytes: number;
}

const mebibyte = 1024 ** 2;

const usual: LogBounds = {
  tab: { requests: 1000, bytes: 4 * mebibyte },
  closed: { tabs: 10, bytes: 4 * mebibyte },
  bytes: 16 * mebibyte,
};

/** For a HAR of all that a browser has asked for: the last of it, where it is more. No HAR may be larger. */
const ofHar: LogBounds = {
  tab: { requests: 10_000, bytes: 16 * mebibyte },
  closed: { tabs: 1000, bytes: 16 * mebibyte },
  bytes: 32 * mebibyte,
};

export interface TabLog {
  readonly targetId: string;
  /** Of a tab that is closed; of an open one the tabs know. */
  tabId?: string;
  readonly ring: Ring;
  /** Requests that were only counted. */
  dropped: number;
}

export interface Entry {
  readonly log: TabLog;
  readonly request: LoggedRequest;
}

export class TabLogs {
  readonly #open = new Map<string, TabLog>();
  #closed: TabLog[] = [];
  /** Of all rings, in the order in which they began. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #bounds = usual;

  /** From now on all of it is kept, within larger bounds. */
  keepAll(): void {
    this.#bounds = ofHar;
    for (const { ring } of this.#open.values()) ring.bounds = ofHar.tab;
  }

  /** What they take of the memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  tabs(): TabLog[] {
    return [...this.#closed, ...this.#open.values()];
  }

  /** As they are now, oldest first. */
  entries(): Entry[] {
    return [...this.#entries.values()];
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
    if (!log) return;
    this.#open.delete(targetId);
    if (tabId === undefined) {
      log.ring.clear();
      return;
    }
    log.tabId = tabId;
    this.#closed.push(log);
    const { tabs, bytes } = this.#bounds.closed;
    let used = this.#closed.reduce((sum, { ring }) => sum + ring.bytes, 0);
    while (this.#closed.length > tabs || used > bytes) {
      const oldest = this.#closed.shift();
      used -= oldest?.ring.bytes ?? 0;
      oldest?.ring.clear();
    }
  }

  /** Nothing is kept of it. */
  forget(targetId: string): void {
    for (const log of this.tabs()) if (log.targetId === targetId) log.ring.clear();
    this.#open.delete(targetId);
    this.#closed = this.#closed.filter((log) => log.targetId !== targetId);
  }

  find(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  #logOf(targetId: string): TabLog {
    const known = this.#open.get(targetId);
    if (known) return known;
    const keeper: RingKeeper = {
      added: (request) => this.#entries.set(request.id, { log, request }),
      removed: ({ id }) => this.#entries.delete(id),
      weighed: (bytes) => this.#weighed(bytes),
    };
    const log: TabLog = { targetId, ring: new Ring(this.#bounds.tab, keeper), dropped: 0 };
    this.#open.set(targetId, log);
    return log;
  }

  #weighed(bytes: number): void {
    this.#bytes += bytes;
    // What is taken away comes by here, too.
    if (bytes <= 0) return;
    while (this.#bytes > this.#bounds.bytes && this.#heaviest()?.dropOldest());
  }

  #heaviest(): Ring | undefined {
    let heaviest: Ring | undefined;
    for (const { ring } of this.#closed) if (ring.bytes > (heaviest?.bytes ?? 0)) heaviest = ring;
    for (const { ring } of this.#open.values()) if (ring.bytes > (heaviest?.bytes ?? 0)) heaviest = ring;
    return heaviest;
  }
}
