/** One browser context of a host: a page, and the way out that only this context dials. */
import type { Cdp } from '../../chromium/chromium.ts';
import type { Branch } from '../../egress/egress.ts';
import { ApiError } from '../../errors.ts';
import { defaultEmulation, type Emulation, type LiveBrowser, Watchers } from '../live/live.ts';
import type { CreateBrowser } from '../record/schema.ts';

export interface Seat {
  contextId: string;
  targetId: string;
  sessionId: string;
  exit: Branch;
  watchers: Watchers;
}

/** A crash takes all guests along, and what a page leaves in the shared process grows. */
const mostGuests = 4;
const mostUses = 100;

/** A Chromium whose contexts come and go. The next seat is made while nobody waits for it. */
export class GuestHost {
  readonly #live: LiveBrowser;
  readonly #gone = new AbortController();
  #guests = 0;
  #uses = 0;
  #spare: Promise<Seat> | undefined;
  #ended: Promise<void> | undefined;

  constructor(live: LiveBrowser) {
    this.#live = live;
    void live.exited.then(() => this.#gone.abort());
  }

  get cdp(): Cdp {
    return this.#live.chromium.cdp;
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

  async take(): Promise<Seat> {
    this.#guests++;
    this.#uses++;
    const spare = this.#spare;
    this.#spare = undefined;
    try {
      return await (spare ?? this.#make());
    } catch (error) {
      this.#guests--;
      throw error;
    }
  }

  prepare(): void {
    if (this.#spare || !this.hasRoom) return;
    this.#spare = this.#make();
    this.#spare.catch(() => {
      this.#spare = undefined;
    });
  }

  blockerOf({ targetId, sessionId }: Seat): 'crashed' | 'dialog' | undefined {
    if (this.#live.tabs.hasCrashed(targetId)) return 'crashed';
    return this.#live.dialogs.holds(sessionId) ? 'dialog' : undefined;
  }

  async dress(seat: Seat, emulation: Emulation, cookies: CreateBrowser['cookies']): Promise<void> {
    const { contextId: browserContextId } = seat;
    await Promise.all([
      this.#live.tabs.emulateContext(browserContextId, emulation),
      cookies?.length && this.cdp.send('Storage.setCookies', { cookies, browserContextId }),
    ]);
  }

  async vacate({ contextId, exit }: Seat): Promise<void> {
    this.#guests--;
    await this.#live.tabs.emulateContext(contextId, null);
    const disposed = this.#gone.signal.aborted
      ? undefined
      : this.cdp.send('Target.disposeBrowserContext', { browserContextId: contextId });
    await Promise.all([disposed, exit.close()]);
  }

  async end(): Promise<void> {
    this.#ended ??= this.#discard();
    await this.#ended;
  }

  async #discard(): Promise<void> {
    const spare = this.#spare?.catch(() => undefined);
    await this.#live.discard();
    await (await spare)?.exit.close();
  }

  async #make(): Promise<Seat> {
    const { tabs } = this.#live;
    const watchers = new Watchers();
    const exit = await this.#live.branch(watchers);
    let contextId: string | undefined;
    try {
      const created = await this.cdp.send('Target.createBrowserContext', {
        proxyServer: exit.url,
        proxyBypassList: '<-loopback>',
      });
      contextId = created.browserContextId;
      await this.cdp.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId });
      await tabs.emulateContext(contextId, defaultEmulation);
      const targetId = await tabs.open(undefined, contextId);
      const sessionId = tabs.sessionOf(targetId);
      if (!sessionId) throw new ApiError('BROWSER_CRASHED', 'The new page was gone at once. Try again.');
      return { contextId, targetId, sessionId, exit, watchers };
    } catch (error) {
      await exit.close();
      if (contextId !== undefined)
        await this.cdp
          .send('Target.disposeBrowserContext', { browserContextId: contextId })
          .catch(() => undefined);
      throw error;
    }
  }
}
