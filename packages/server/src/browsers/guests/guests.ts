/**
 * Pages for a moment: each in a fresh browser context with an exit of its own, in a Chromium that serves one project
 * only. They are in no list and keep nothing, but each counts as a browser while it is there.
 *
 *   borrow  ─> slot of the capacity ─> context in a host of the project, or in a new one ─> settings applied ─> guest
 *   dispose ─> slot free ─> context and exit gone          a host that is used up, idle or dead is ended
 */
import type { Ceiling } from '../../egress/egress.ts';
import type { ProfileVersionRecord } from '../../profiles/profiles.ts';
import type { ProfileRef } from '../../store/records.ts';
import { type FilterLists, refuseFiles } from '../interception/interception.ts';
import { type Emulation, mediaOf, type NetworkSettings } from '../live/live.ts';
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
import type { GuestContext, GuestHost, Rehearsal } from './guest-host.ts';
import { GuestHosts } from './guest-hosts.ts';
import { type Guest, type OwnGuestParts, openOwnGuest } from './own-guest.ts';

export { FileTooLarge, type GuestFiles } from './guest-files.ts';
export type { Rehearsal } from './guest-host.ts';
export { guestCrashed } from './guest-hosts.ts';
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

export class Guests {
  readonly #parts: GuestsParts;
  readonly #hosts: GuestHosts;
  readonly #leaving = new Set<Promise<void>>();

  constructor(parts: GuestsParts) {
    this.#parts = parts;
    this.#hosts = new GuestHosts(parts);
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
    const { host, context } = await this.#hosts.take(projectId, { policy, fonts, rehearsal }, options.signal);
    await using undo = new AsyncDisposableStack();
    const guest = undo.use(this.#guest(host, context, slot.move(), wishes.emulation));
    if (wishes.logged) host.log(context);
    if (data) await host.begin(context, data);
    await host.obey(context, network);
    await host.apply(context, wishes.emulation, wishes.cookies);
    options.signal.throwIfAborted();
    undo.move();
    this.#hosts.prepare();
    return guest;
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
    this.#hosts.stop();
    await Promise.allSettled(this.#leaving);
    await this.#hosts.close();
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

  #leave(host: GuestHost, context: GuestContext, slot: Slot): Promise<void> {
    // The slot first, without a wait: a caller that has its answer may send the next request at once.
    using _freed = slot;
    const leaving = this.#hosts.leave(host, context);
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
    return leaving;
  }
}
