/**
 * Pages for a moment: each in a fresh browser context with an exit of its own, in a Chromium that serves one project
 * only. They are in no list and keep nothing, but each counts as a browser while it is there.
 *
 *   borrow  ─> slot of the capacity ─> context in a host of the project, or in a new one ─> settings applied ─> guest
 *   dispose ─> slot free ─> context and exit gone          a host that is used up, idle or dead is ended
 */

import { availableParallelism } from 'node:os';
import type { Ceiling } from '../../egress/egress.ts';
import { ApiError } from '../../errors.ts';
import type { ProjectFonts } from '../../fonts/fonts.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import type { ProfileVersionRecord } from '../../profiles/profiles.ts';
import type { ProfileRef } from '../../store/records.ts';
import { type FilterLists, isIntercepting, refuseFiles } from '../interception/interception.ts';
import { type Emulation, mediaOf, type NetworkSettings } from '../live/live.ts';
import type { Policy } from '../record/policy-schema.ts';
import {
  type Capacity,
  checkedPolicy,
  checkedProxy,
  checkedTrust,
  refuseAboveCeiling,
  type Slot,
  withIdentities,
} from '../record/record.ts';
import type { CreateBrowser } from '../record/schema.ts';
import { type GuestContext, GuestHost, mostGuests, type Rehearsal } from './guest-host.ts';
import { type Guest, type OwnGuestParts, openOwnGuest } from './own-guest.ts';

export { FileTooLarge, type GuestFiles } from './guest-files.ts';
export type { Rehearsal } from './guest-host.ts';
export type { Guest } from './own-guest.ts';

export interface GuestWishes
  extends Pick<CreateBrowser, 'policy' | 'proxy' | 'cookies' | 'clientCertificates'> {
  /** In PEM, beside the usual authorities. */
  trust?: string[];
  emulation: Emulation;
  /** A saved profile that the page begins with, and does not change. */
  profile?: ProfileRef;
  /** What its page asks of the network is logged, for a HAR. */
  logged?: boolean;
  rehearsal?: Rehearsal;
}

export interface GuestsParts extends OwnGuestParts {
  capacity: Capacity;
  ceiling: Ceiling;
  lists: FilterLists;
}

export interface BorrowOptions {
  signal: AbortSignal;
  /** How long it waits in the queue for capacity. */
  waitMs?: number;
  /** Gives the slot instead of the capacity, or throws why there is none. */
  admit?(): Slot;
}

/** What all guests of a host have in common. */
interface HostWish {
  projectId: string;
  fonts: ProjectFonts | undefined;
  rules: string;
  /** Of the guest that wishes. */
  rehearsal: Rehearsal | undefined;
}

interface NewHost {
  host: GuestHost;
  context: Promise<GuestContext>;
}

interface ComingHost {
  rules: string;
  /** The key of those it will have. */
  fonts: string | undefined;
  /** For how many more it has room. */
  places: number;
  here: Promise<void>;
}

const idleMs = 60_000;
/** What a page that loads keeps busy: its own process and that of its Chromium. */
const processorsOfGuest = 2;
/** Of all projects: idle hosts must not pile up beside the browsers that count. */
const mostIdle = 3;

interface HostState {
  projectId: string;
  /** The key of those it has. */
  fonts: string | undefined;
  idle?: NodeJS.Timeout;
  idleSince?: number;
}

export class Guests {
  readonly #parts: GuestsParts;
  readonly #hosts = new Map<GuestHost, HostState>();
  /** Of each project: the host that is on its way. */
  readonly #coming = new Map<string, ComingHost>();
  readonly #leaving = new Set<Promise<void>>();
  #closed = false;

  constructor(parts: GuestsParts) {
    this.#parts = parts;
  }

  async borrow(projectId: string, wishes: GuestWishes, options: BorrowOptions): Promise<Guest> {
    const policy = checkedPolicy(wishes.policy ?? {});
    refuseFiles(policy);
    this.#parts.lists.refuseUnknown(policy);
    const { clientCertificates } = await withIdentities({ clientCertificates: wishes.clientCertificates });
    const network: NetworkSettings = {
      policy,
      proxy: checkedProxy(wishes.proxy ?? null),
      tls: { trust: checkedTrust(wishes.trust ?? []) },
      clientCertificates: clientCertificates ?? [],
    };
    await refuseAboveCeiling(policy, this.#parts.ceiling, projectId);
    const version = wishes.profile && (await this.#versionOf(projectId, wishes.profile));
    using slot = options.admit?.() ?? (await this.#parts.capacity.admit(projectId, options).slot);
    if (version?.light === 0) {
      const settings = { ...network, emulation: wishes.emulation, cookies: wishes.cookies };
      const own = await openOwnGuest(this.#parts, version, settings, options.signal);
      return this.#leavingWith(own, slot.move());
    }
    const data = version && (await this.#parts.saved.versions.read(version));
    const fonts = await this.#parts.fonts.of(projectId);
    const { rehearsal } = wishes;
    const { host, context } = await this.#context(projectId, { policy, fonts, rehearsal }, options.signal);
    await using undo = new AsyncDisposableStack();
    const guest = undo.use(this.#guest(host, context, slot.move(), wishes.emulation));
    if (wishes.logged) host.log(context);
    if (data) await host.begin(context, data);
    await host.obey(context, network);
    await host.apply(context, wishes.emulation, wishes.cookies);
    options.signal.throwIfAborted();
    undo.move();
    this.#prepare();
    return guest;
  }

  /**
   * The next guests find their contexts made. None is made beside guests that keep the machine busy, in whichever Chromium:
   * it would take from their pages what it spares the next.
   */
  #prepare(): void {
    const hosts = [...this.#hosts.keys()];
    const guests = hosts.reduce((sum, host) => sum + host.guests, 0);
    if (guests * processorsOfGuest < availableParallelism()) for (const host of hosts) host.prepare();
  }

  /** Undefined: nothing was saved in it yet. */
  async #versionOf(projectId: string, ref: ProfileRef): Promise<ProfileVersionRecord | undefined> {
    const { saved } = this.#parts;
    const profile = await saved.find(projectId, ref);
    void saved.used(profile).catch(() => undefined);
    return saved.versions.find(profile);
  }

  #leavingWith(own: Guest, slot: Slot): Guest {
    const leave = (): Promise<void> => {
      using _freed = slot;
      const leaving = Promise.resolve(own[Symbol.asyncDispose]());
      this.#leaving.add(leaving);
      void leaving.finally(() => this.#leaving.delete(leaving));
      return leaving;
    };
    let left: Promise<void> | undefined;
    return {
      ...own,
      [Symbol.asyncDispose]: () => {
        left ??= leave();
        return left;
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#leaving);
    await Promise.all([...this.#hosts.keys()].map((host) => this.#end(host)));
  }

  #guest(host: GuestHost, context: GuestContext, slot: Slot, emulation: Emulation): Guest {
    let left: Promise<void> | undefined;
    return {
      cdp: host.cdp,
      sessionId: context.sessionId,
      targetId: context.targetId,
      blank: host.blank,
      media: () => mediaOf(emulation),
      blocker: () => host.blockerOf(context),
      crashReason: () => host.crashReasonOf(context),
      fault: () => host.fault,
      gone: host.gone,
      watch: (watcher) => context.watchers.add(watcher),
      har: (maxBytes) => host.harOf(context, maxBytes),
      bannersGone: (mostMs) => host.bannersGone(context, mostMs),
      ...(this.#parts.engine === 'shell' && { files: host.filesOf(context) }),
      [Symbol.asyncDispose]: () => {
        left ??= this.#leave(host, context, slot);
        return left;
      },
    };
  }

  async #context(
    projectId: string,
    { policy, ...given }: Pick<HostWish, 'fonts' | 'rehearsal'> & { policy: Policy },
    signal: AbortSignal,
  ): Promise<{ host: GuestHost; context: GuestContext }> {
    const rules = isIntercepting(policy) || policy.consent ? JSON.stringify(policy) : '';
    const wish = { ...given, projectId, rules };
    const { fonts } = given;
    for (;;) {
      for (const [host, state] of this.#hosts) {
        if (state.projectId !== projectId) continue;
        if (state.fonts !== fonts?.key) {
          // The fonts of the project have changed, so it serves no other guest.
          if (host.guests === 0) void this.#end(host);
          continue;
        }
        if (!host.hasRoom || !host.suits(rules)) continue;
        clearTimeout(state.idle);
        try {
          return { host, context: await this.#taken(host, wish) };
        } catch (error) {
          this.#parts.log.warn({ err: error }, 'guest.host_failed');
        }
      }
      const coming = this.#coming.get(projectId);
      const isFit = coming?.rules === rules && coming.fonts === fonts?.key && coming.places > 0;
      if (!coming || !isFit) {
        const { host, context } = await this.#comingHost(wish, signal);
        return { host, context: await context };
      }
      // Callers that come at once share a Chromium that is on its way, instead of starting one each.
      coming.places--;
      await orAborted(coming.here, signal);
    }
  }

  async #taken(host: GuestHost, { rules, rehearsal }: HostWish): Promise<GuestContext> {
    try {
      return await host.take(rules, rehearsal);
    } catch (error) {
      await this.#end(host);
      throw error;
    }
  }

  async #comingHost(wish: HostWish, signal: AbortSignal): Promise<NewHost> {
    const { projectId, fonts, rules } = wish;
    const { promise: here, resolve, reject } = Promise.withResolvers<void>();
    here.catch(() => undefined);
    const coming: ComingHost = { rules, fonts: fonts?.key, places: mostGuests - 1, here };
    this.#coming.set(projectId, coming);
    try {
      const come = await this.#newHost(wish, signal);
      resolve();
      return come;
    } catch (error) {
      // Only this caller has gone: the others look again, and one of them starts another.
      if (signal.aborted) resolve();
      else reject(error);
      throw error;
    } finally {
      if (this.#coming.get(projectId) === coming) this.#coming.delete(projectId);
    }
  }

  /** With the first guest in it: others may come in as soon as it is listed. */
  async #newHost(wish: HostWish, signal: AbortSignal): Promise<NewHost> {
    const { projectId, fonts } = wish;
    await using undo = new AsyncDisposableStack();
    const live = undo.use(await this.#parts.pool.take(this.#parts.engine, signal, [], fonts));
    signal.throwIfAborted();
    if (this.#closed) throw guestCrashed();
    undo.move();
    live.belongTo(projectId);
    const host = new GuestHost(live);
    this.#hosts.set(host, { projectId, fonts: fonts?.key });
    host.gone.addEventListener('abort', () => void this.#end(host), { once: true });
    return { host, context: this.#taken(host, wish) };
  }

  #leave(host: GuestHost, context: GuestContext, slot: Slot): Promise<void> {
    // The slot first, without a wait: a caller that has its answer may send the next request at once.
    using _freed = slot;
    const leaving = this.#clear(host, context);
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
    return leaving;
  }

  async #clear(host: GuestHost, context: GuestContext): Promise<void> {
    try {
      const cleared = host.clear(context);
      // Not after it: the next caller may be there already.
      this.#prepare();
      await cleared;
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'guest.leave_failed');
      await this.#end(host);
      return;
    }
    const state = this.#hosts.get(host);
    if (!state || host.guests > 0) return;
    if (host.usedUp) await this.#end(host);
    else {
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
    await host[Symbol.asyncDispose]();
  }
}

export const guestCrashed = (fault?: string): ApiError =>
  new ApiError(
    'BROWSER_CRASHED',
    `Chromium ${fault ? `was ended, because ${fault}, ` : 'ended '}while it worked on the page. Try again.`,
    { details: { ...(fault && { reason: fault }) } },
  );
