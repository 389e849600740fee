/**
 * Pages for a moment: each in a fresh browser context with a way out of its own, in a Chromium that serves one
 * project only. They are in no list and keep nothing, but each counts as a browser while it is there.
 *
 *   borrow ─> slot of the capacity ─> seat in a host of the project, or in a new one ─> dressed ─> guest
 *   leave  ─> slot free ─> context and way out gone        a host that is used up, idle or dead is ended
 */

import type { Cdp } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import type { Engine } from '../../kit/engine.ts';
import type { Log } from '../../kit/log.ts';
import type { Emulation, WarmBrowsers, Watcher } from '../live/live.ts';
import { type Capacity, checkedPolicy, checkedProxy, type Slot } from '../record/record.ts';
import type { CreateBrowser } from '../record/schema.ts';
import { GuestHost, type Seat } from './guest-host.ts';

export interface Guest {
  readonly cdp: Cdp;
  readonly sessionId: string;
  readonly targetId: string;
  /** What keeps its page from answering. */
  blocker(): 'crashed' | 'dialog' | undefined;
  /** Its Chromium has ended. */
  readonly gone: AbortSignal;
  watch(watcher: Partial<Watcher>): () => void;
  /** Ends it; done when nothing of it is left. */
  leave(): Promise<void>;
}

export interface GuestWishes extends Pick<CreateBrowser, 'policy' | 'proxy' | 'cookies'> {
  emulation: Emulation;
}

const idleMs = 60_000;
/** Of all projects: what nobody uses must not pile up beside the browsers that count. */
const mostIdle = 3;

export class Guests {
  readonly #parts: { pool: WarmBrowsers; capacity: Capacity; engine: Engine; log: Log };
  readonly #hosts = new Map<GuestHost, { projectId: string; idle?: NodeJS.Timeout; idleSince?: number }>();
  readonly #leaving = new Set<Promise<void>>();
  #closed = false;

  constructor(parts: { pool: WarmBrowsers; capacity: Capacity; engine: Engine; log: Log }) {
    this.#parts = parts;
  }

  /** Waits in line for capacity for as long as `waitMs` says. */
  async borrow(
    projectId: string,
    wishes: GuestWishes,
    options: { signal: AbortSignal; waitMs?: number },
  ): Promise<Guest> {
    const policy = checkedPolicy(wishes.policy);
    const proxy = checkedProxy(wishes.proxy ?? null);
    const slot = await this.#slot(projectId, options);
    try {
      const { host, seat } = await this.#seat(projectId, options.signal);
      try {
        seat.exit.allow(policy, proxy);
        await host.dress(seat, wishes.emulation, wishes.cookies);
        options.signal.throwIfAborted();
      } catch (error) {
        await this.#leave(host, seat, slot);
        throw error;
      }
      let left: Promise<void> | undefined;
      return {
        cdp: host.cdp,
        sessionId: seat.sessionId,
        targetId: seat.targetId,
        blocker: () => host.blockerOf(seat),
        gone: host.gone,
        watch: (watcher) => seat.watchers.add(watcher),
        leave: () => {
          left ??= this.#leave(host, seat, slot);
          return left;
        },
      };
    } catch (error) {
      slot.free();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#leaving);
    await Promise.all([...this.#hosts.keys()].map((host) => this.#end(host)));
  }

  async #slot(
    projectId: string,
    { signal, waitMs }: { signal: AbortSignal; waitMs?: number },
  ): Promise<Slot> {
    const { capacity } = this.#parts;
    const slot = capacity.take(projectId);
    if (slot) return slot;
    if (!waitMs) throw capacity.exhausted(projectId);
    return capacity.queue(projectId, waitMs, signal).slot;
  }

  async #seat(projectId: string, signal: AbortSignal): Promise<{ host: GuestHost; seat: Seat }> {
    for (const [host, state] of this.#hosts) {
      if (state.projectId !== projectId || !host.hasRoom) continue;
      clearTimeout(state.idle);
      try {
        return { host, seat: await host.take() };
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'guest.host_failed');
        await this.#end(host);
      }
    }
    const live = await this.#parts.pool.take(this.#parts.engine, signal);
    if (this.#closed || signal.aborted) {
      await live.discard();
      signal.throwIfAborted();
      throw guestCrashed();
    }
    const host = new GuestHost(live);
    this.#hosts.set(host, { projectId });
    host.gone.addEventListener('abort', () => void this.#end(host), { once: true });
    try {
      return { host, seat: await host.take() };
    } catch (error) {
      await this.#end(host);
      throw error;
    }
  }

  #leave(host: GuestHost, seat: Seat, slot: Slot): Promise<void> {
    // At once: whoever has its answer may send the next request, and must not be in its own way.
    slot.free();
    const leaving = this.#vacate(host, seat);
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
    return leaving;
  }

  async #vacate(host: GuestHost, seat: Seat): Promise<void> {
    try {
      await host.vacate(seat);
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'guest.leave_failed');
      await this.#end(host);
      return;
    }
    const state = this.#hosts.get(host);
    if (!state || host.guests > 0) return;
    if (host.usedUp) await this.#end(host);
    else {
      host.prepare();
      clearTimeout(state.idle);
      state.idle = setTimeout(() => void (host.guests === 0 && this.#end(host)), idleMs).unref();
      state.idleSince = performance.now();
      await this.#endLongestIdle();
    }
  }

  async #endLongestIdle(): Promise<void> {
    const idle = [...this.#hosts].filter(([host]) => host.guests === 0);
    if (idle.length <= mostIdle) return;
    const [longest] = idle.toSorted(([, a], [, b]) => (a.idleSince ?? 0) - (b.idleSince ?? 0));
    if (longest) await this.#end(longest[0]);
  }

  async #end(host: GuestHost): Promise<void> {
    clearTimeout(this.#hosts.get(host)?.idle);
    this.#hosts.delete(host);
    await host.end();
  }
}

export const guestCrashed = (): ApiError =>
  new ApiError('BROWSER_CRASHED', 'Chromium ended while it worked on the page. Try again.');
