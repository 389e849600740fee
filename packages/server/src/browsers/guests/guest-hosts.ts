/**
 * The Chromiums that guests live in. Each serves one project, with the fonts that the project has; guests whose policies have rules
 * share one only with guests of the very same policy. It is kept for a while when it is idle, and ended when it is used up.
 */
import { availableParallelism } from 'node:os';
import { ApiError } from '../../errors.ts';
import type { ProjectFonts } from '../../fonts/fonts.ts';
import type { Engine } from '../../kit/engine.ts';
import type { Log } from '../../kit/log.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import { isIntercepting } from '../interception/interception.ts';
import type { WarmBrowsers } from '../live/live.ts';
import type { Policy } from '../record/policy-schema.ts';
import { type GuestContext, GuestHost, mostGuests, type Rehearsal } from './guest-host.ts';

export interface GuestHostsParts {
  pool: WarmBrowsers;
  engine: Engine;
  log: Log;
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

export class GuestHosts {
  readonly #parts: GuestHostsParts;
  readonly #hosts = new Map<GuestHost, HostState>();
  /** Of each project: the host that is on its way. */
  readonly #coming = new Map<string, ComingHost>();
  #closed = false;

  constructor(parts: GuestHostsParts) {
    this.#parts = parts;
  }

  /** A context for a guest: in a Chromium of its project that has room and suits it, or in a new one. */
  async take(
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

  /**
   * The next guests find their contexts made. None is made beside guests that keep the machine busy, in whichever Chromium:
   * it would take from their pages what it spares the next.
   */
  prepare(): void {
    const hosts = [...this.#hosts.keys()];
    const guests = hosts.reduce((sum, host) => sum + host.guests, 0);
    if (guests * processorsOfGuest < availableParallelism()) for (const host of hosts) host.prepare();
  }

  /** The guest has gone: its context goes, and its host when that is used up, or has been idle for a while. */
  async leave(host: GuestHost, context: GuestContext): Promise<void> {
    try {
      const cleared = host.clear(context);
      // Not after it: the next caller may be there already.
      this.prepare();
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

  /** From now on none is started. */
  stop(): void {
    this.#closed = true;
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([...this.#hosts.keys()].map((host) => this.#end(host)));
  }
}

export const guestCrashed = (fault?: string): ApiError =>
  new ApiError(
    'BROWSER_CRASHED',
    `Chromium ${fault ? `was ended, because ${fault}, ` : 'ended '}while it worked on the page. Try again.`,
    { details: { ...(fault && { reason: fault }) } },
  );
