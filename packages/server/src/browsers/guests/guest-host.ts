/**
 * A Chromium for guests. Each guest has a browser context of its own in it: a page, and an exit to the network that
 * only this context dials. Contexts for the next guests are made in advance, as many as there lately were at once.
 */
import type { Cdp } from '../../chromium/chromium.ts';
import type { Branch } from '../../egress/egress.ts';
import { ApiError } from '../../errors.ts';
import type { ProfileData } from '../../profiles/profiles.ts';
import { policyOfExit } from '../interception/interception.ts';
import {
  defaultEmulation,
  type Emulation,
  type LiveBrowser,
  type NetworkSettings,
  Watchers,
} from '../live/live.ts';
import { fillStorage, putCookies } from '../profile/profile.ts';
import { siteTrustOf } from '../record/record.ts';
import type { CreateBrowser } from '../record/schema.ts';
import { type GuestFiles, HostFiles } from './guest-files.ts';
import { type Guest, harOf } from './own-guest.ts';

export interface GuestContext {
  contextId: string;
  targetId: string;
  sessionId: string;
  exit: Branch;
  watchers: Watchers;
}

/** A crash ends all guests of a host, and what pages leave behind in the shared process grows. */
export const mostGuests = 4;
const mostUses = 100;
/**
 * What the next guest will probably want of its page, done once in a blank one: Chromium is then warm for it. Once the page is
 * `taken`, nothing more is sent to it.
 */
export type Rehearsal = (
  page: Pick<Guest, 'cdp' | 'sessionId' | 'targetId'>,
  taken: AbortSignal,
) => Promise<unknown>;

interface Spare {
  context: Promise<GuestContext>;
  taken: AbortController;
}

export class GuestHost implements AsyncDisposable {
  readonly #live: LiveBrowser;
  readonly #firstTab: string;
  readonly #gone = new AbortController();
  readonly #files: HostFiles;
  #guests = 0;
  /** Of the last guest: the next one most often wants the same. */
  #rehearsal: Rehearsal | undefined;
  /** What its guests have in common: rules for requests and for banners hold for the whole Chromium. */
  #rules = '';
  #uses = 0;
  readonly #spares: Spare[] = [];
  /** The most guests at once, since it was last empty and in the round before that. */
  #crowd = { now: 0, before: 1 };
  #ended: Promise<void> | undefined;

  constructor(live: LiveBrowser) {
    this.#live = live;
    this.#firstTab = live.tabs.list()[0]?.tabId ?? '';
    this.#files = new HostFiles(live);
    void live.exited.then(() => this.#gone.abort());
  }

  get cdp(): Cdp {
    return this.#live.chromium.cdp;
  }

  /** The page that Chromium began with, which no guest sees; undefined once it has crashed. */
  get blank(): Guest['blank'] {
    const { tabs } = this.#live;
    const sessionId = tabs.sessionOf(this.#firstTab);
    const targetId = tabs.targetOf(this.#firstTab);
    if (!sessionId || !targetId || tabs.hasCrashed(this.#firstTab)) return undefined;
    return { cdp: this.cdp, sessionId, targetId };
  }

  /** Why the service ended it. */
  get fault(): string | undefined {
    return this.#live.chromium.fault;
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get guests(): number {
    return this.#guests;
  }

  get usedUp(): boolean {
    return this.#uses >= mostUses;
  }

  get hasRoom(): boolean {
    return this.#guests < mostGuests && !this.usedUp && !this.#gone.signal.aborted;
  }

  /** Whether a guest with these rules can be here, too. */
  suits(rules: string): boolean {
    return this.#guests === 0 || this.#rules === rules;
  }

  /** What its page asks of the network is logged from now on, for a HAR. */
  log({ sessionId, targetId, contextId }: GuestContext): void {
    this.#live.network.follow(sessionId, targetId, contextId);
  }

  async take(rules: string, rehearsal: Rehearsal | undefined): Promise<GuestContext> {
    this.#rules = rules;
    this.#rehearsal = rehearsal;
    this.#guests++;
    this.#uses++;
    this.#crowd.now = Math.max(this.#crowd.now, this.#guests);
    try {
      const spare = this.#spares.shift();
      spare?.taken.abort();
      return await (spare?.context ?? this.#make());
    } catch (error) {
      this.#guests--;
      throw error;
    }
  }

  /** A guest that comes next finds its context made. With those that are there they are never more than it has room for. */
  prepare(): void {
    if (!this.hasRoom) return;
    const wanted = Math.max(this.#crowd.now, this.#crowd.before);
    const room = Math.min(mostGuests - this.#guests, mostUses - this.#uses);
    while (this.#spares.length < Math.min(wanted, room)) {
      const spare = { context: this.#make(), taken: new AbortController() };
      this.#spares.push(spare);
      void this.#rehearsed(spare).catch(() => undefined);
      spare.context.catch(() => {
        const at = this.#spares.indexOf(spare);
        if (at >= 0) void this.#spares.splice(at, 1);
      });
    }
  }

  /** Not waited for: a guest that is there before it is over finds a page that is only less warm. */
  async #rehearsed({ context, taken: { signal } }: Spare): Promise<void> {
    const rehearsal = this.#rehearsal;
    const { sessionId, targetId } = await context;
    if (!signal.aborted) await rehearsal?.({ cdp: this.cdp, sessionId, targetId }, signal);
  }

  blockerOf({ targetId, sessionId }: GuestContext): 'crashed' | 'dialog' | undefined {
    if (this.#live.tabs.hasCrashed(targetId)) return 'crashed';
    return this.#live.dialogs.holds(sessionId) ? 'dialog' : undefined;
  }

  crashReasonOf({ targetId }: GuestContext): string | undefined {
    return this.#live.tabs.crashReason(targetId);
  }

  harOf({ targetId }: GuestContext, maxBytes: number): Promise<string> {
    return harOf(this.#live, targetId, maxBytes);
  }

  filesOf(context: GuestContext): GuestFiles {
    return this.#files.of(context);
  }

  bannersGone({ targetId }: GuestContext, mostMs: number): Promise<void> {
    return this.#live.consent.settled(targetId, mostMs);
  }

  /** The context begins with what was saved. */
  async begin({ contextId, targetId }: GuestContext, { state, storage }: ProfileData): Promise<void> {
    await putCookies(this.#live, state.cookies, contextId);
    await fillStorage(this.#live, targetId, storage, { replace: true });
  }

  /** How the pages of the context look, and their cookies. */
  async apply(
    { contextId: browserContextId }: GuestContext,
    emulation: Emulation,
    cookies: CreateBrowser['cookies'],
  ): Promise<void> {
    await Promise.all([
      this.#live.tabs.emulateContext(browserContextId, emulation),
      cookies?.length && this.cdp.send('Storage.setCookies', { cookies, browserContextId }),
    ]);
  }

  /** Where it may go, and what becomes of its requests. */
  async obey({ exit }: GuestContext, settings: NetworkSettings): Promise<void> {
    const { policy, proxy } = settings;
    exit.allow(policyOfExit(policy), proxy, siteTrustOf(settings));
    await Promise.all([
      this.#live.interception.set(policy),
      this.#live.consent.set(policy.consent === 'decline'),
    ]);
  }

  /** The guest has left: nothing of its context stays. */
  async clear({ contextId, targetId, exit }: GuestContext): Promise<void> {
    this.#guests--;
    if (this.#guests === 0) this.#crowd = { now: 0, before: this.#crowd.now };
    this.#live.network.useExit(contextId);
    this.#live.network.forget(targetId);
    await this.#live.tabs.emulateContext(contextId, null);
    await Promise.all([!this.#gone.signal.aborted && this.#dispose(contextId), exit.close()]);
    this.#live.guestContexts.delete(contextId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= this.#end();
    await this.#ended;
  }

  async #end(): Promise<void> {
    const spares = Promise.allSettled(this.#spares.map(({ context }) => context));
    await this.#live[Symbol.asyncDispose]();
    for (const spare of await spares) if (spare.status === 'fulfilled') await spare.value.exit.close();
  }

  async #make(): Promise<GuestContext> {
    const { tabs } = this.#live;
    const watchers = new Watchers();
    await using undo = new AsyncDisposableStack();
    const exit = await this.#live.branch(watchers);
    undo.defer(() => exit.close());
    const { browserContextId: contextId } = await this.cdp.send('Target.createBrowserContext', {
      proxyServer: exit.url,
      proxyBypassList: '<-loopback>',
    });
    undo.defer(() => this.#dispose(contextId).catch(() => undefined));
    this.#live.guestContexts.add(contextId);
    undo.defer(() => void this.#live.guestContexts.delete(contextId));
    this.#live.network.useExit(contextId, exit, (watcher) => watchers.add(watcher));
    await tabs.emulateContext(contextId, defaultEmulation);
    // Sent in one go, and carried out in this order.
    const denied = { behavior: 'deny', browserContextId: contextId } as const;
    const [, targetId] = await Promise.all([
      this.cdp.send('Browser.setDownloadBehavior', denied),
      tabs.open(undefined, contextId),
    ]);
    const sessionId = tabs.sessionOf(targetId);
    if (!sessionId) throw new ApiError('BROWSER_CRASHED', 'The new page was gone at once. Try again.');
    undo.move();
    return { contextId, targetId, sessionId, exit, watchers };
  }

  async #dispose(browserContextId: string): Promise<void> {
    await this.cdp.send('Target.disposeBrowserContext', { browserContextId });
  }
}
