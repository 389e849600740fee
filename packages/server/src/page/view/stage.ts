/**
 * The picture of one browser for all who watch it: its active tab, filmed once however many watch, and not at all when
 * nobody does. Chromium films the next frame when the last one is acknowledged, which happens as soon as one viewer has
 * drawn it; who is slower is shown fewer frames, always the newest.
 *
 *   Chromium ──frame──> stage ──> every viewer that has drawn its last one
 *            <───ack─── one of them has drawn it, and the shortest time between two is over
 */
import type { Running } from '../../browsers/browsers.ts';
import type { Log } from '../../kit/log.ts';
import { RefusedError, Remote, type RemoteEvent } from './remote.ts';

export interface Frame {
  tabId: string;
  /** The page's own size in CSS pixels. */
  width: number;
  height: number;
  at: number;
  jpeg: Buffer;
}

export interface Watching {
  /** Draw the newest, and say `drawn` when that is done. */
  show(frame: Frame): void;
}

export interface Seat {
  drawn(): void;
  leave(): void;
}

interface Sitting {
  watching: Watching;
  /** Frames it was given and has not drawn. */
  ahead: number;
  seen: Frame | undefined;
}

const shortestMs = 33;
const filmAgainMs = 1500;
const mostAhead = 2;
const film = { format: 'jpeg', quality: 70, maxWidth: 1920, maxHeight: 1920 };

export class Stage {
  readonly #running: Running;
  readonly #log: Log;
  readonly #seats = new Set<Sitting>();
  #remote: Remote | undefined;
  #turn: Promise<void> = Promise.resolve();
  #filmed: { tabId: string; sessionId: string } | undefined;
  #frame: Frame | undefined;
  #toAck: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(running: Running, log: Log) {
    this.#running = running;
    this.#log = log;
  }

  /** Does something to the tab that is shown. */
  async send(method: string, params: Record<string, unknown>): Promise<void> {
    const { remote, sessionId } = await this.#shown();
    await remote.send(method, params, sessionId);
  }

  /** Back or forward in the history of the tab that is shown; nothing where there is none. */
  async step(by: -1 | 1): Promise<void> {
    const { remote, sessionId } = await this.#shown();
    const history = await remote.send('Page.getNavigationHistory', {}, sessionId);
    const { currentIndex, entries } = history as { currentIndex: number; entries: { id: number }[] };
    const entry = entries[currentIndex + by];
    if (entry) await remote.send('Page.navigateToHistoryEntry', { entryId: entry.id }, sessionId);
  }

  async closeTab(tabId: string): Promise<void> {
    const targetId = this.#running.live.tabs.targetOf(tabId);
    if (targetId) await this.#remote?.send('Target.closeTarget', { targetId });
  }

  /** Once the camera has turned to it. */
  async #shown(): Promise<{ remote: Remote; sessionId: string }> {
    await this.#turn;
    if (!this.#remote || !this.#filmed) throw new RefusedError('No tab is shown at the moment.');
    return { remote: this.#remote, sessionId: this.#filmed.sessionId };
  }

  async take(watching: Watching): Promise<Seat> {
    const sitting: Sitting = { watching, ahead: 0, seen: undefined };
    this.#seats.add(sitting);
    try {
      await this.#inTurn(() => this.#begin());
    } catch (error) {
      this.#leave(sitting);
      throw error;
    }
    this.#offer(sitting);
    return {
      drawn: () => {
        sitting.ahead = Math.max(0, sitting.ahead - 1);
        this.#offer(sitting);
        this.#ackSoon();
      },
      leave: () => this.#leave(sitting),
    };
  }

  #leave(sitting: Sitting): void {
    if (!this.#seats.delete(sitting)) return;
    this.#ackSoon();
    if (this.#seats.size === 0) void this.#inTurn(() => this.#end()).catch(() => undefined);
  }

  /** One after the other: who comes while the last one leaves finds an order. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #begin(): Promise<void> {
    if (this.#remote || this.#seats.size === 0) return;
    this.#remote = await Remote.open(this.#running, {
      onEvent: (event) => this.#hear(event),
      onEnd: () => this.#forget(),
    });
    const look = () => void this.#inTurn(() => this.#follow()).catch((error) => this.#trouble(error));
    this.#unwatch = this.#running.live.watch({ opened: look, closed: look, activated: look });
    await this.#follow();
  }

  async #end(): Promise<void> {
    if (this.#seats.size > 0) return;
    const remote = this.#remote;
    this.#forget();
    // Not awaited: it leaves when no dialog is open any more, and whoever comes next must not wait for that.
    void remote?.close();
  }

  #forget(): void {
    this.#unwatch?.();
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    this.#remote = this.#filmed = this.#frame = this.#toAck = this.#unwatch = this.#timer = undefined;
  }

  async #follow(): Promise<void> {
    const { active } = this.#running.live.tabs;
    const remote = this.#remote;
    if (!remote || active?.tabId === this.#filmed?.tabId) return;
    const before = this.#filmed;
    this.#filmed = undefined;
    if (before)
      await remote.send('Target.detachFromTarget', { sessionId: before.sessionId }).catch(() => undefined);
    if (!active) return;
    const targetId = this.#running.live.tabs.targetOf(active.tabId);
    const attached = await remote.send('Target.attachToTarget', { targetId, flatten: true });
    const sessionId = String(attached.sessionId);
    this.#filmed = { tabId: active.tabId, sessionId };
    this.#film(remote, this.#filmed);
  }

  /**
   * Not awaited: a page in a loop or a dialog obeys when it can, and nobody else waits for that. A page that is just
   * being replaced may swallow the order, so it is given again until the first frame comes.
   */
  #film(remote: Remote, filmed: { tabId: string; sessionId: string }): void {
    const orders = [
      ['Page.enable', {}],
      ['Page.startScreencast', film],
    ] as const;
    for (const [method, params] of orders)
      remote.send(method, params, filmed.sessionId).catch((error) => this.#trouble(error));
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#filmed === filmed && this.#frame?.tabId !== filmed.tabId) this.#film(remote, filmed);
    }, filmAgainMs).unref();
  }

  #hear({ method, params, sessionId }: RemoteEvent): void {
    const filmed = this.#filmed;
    if (method !== 'Page.screencastFrame' || !filmed || filmed.sessionId !== sessionId) return;
    const {
      data,
      metadata,
      sessionId: frameId,
    } = params as {
      data: string;
      metadata: { deviceWidth: number; deviceHeight: number };
      sessionId: number;
    };
    const { deviceWidth: width, deviceHeight: height } = metadata;
    this.#frame = { tabId: filmed.tabId, width, height, at: Date.now(), jpeg: Buffer.from(data, 'base64') };
    this.#toAck = () => {
      this.#remote
        ?.send('Page.screencastFrameAck', { sessionId: frameId }, sessionId)
        .catch((error) => this.#trouble(error));
    };
    for (const sitting of this.#seats) this.#offer(sitting);
    this.#ackSoon();
  }

  #offer(sitting: Sitting): void {
    const frame = this.#frame;
    if (!frame || sitting.seen === frame || sitting.ahead >= mostAhead) return;
    sitting.seen = frame;
    sitting.ahead++;
    sitting.watching.show(frame);
  }

  #ackSoon(): void {
    const somebodyReady = [...this.#seats].some(({ ahead }) => ahead < mostAhead);
    if (!this.#toAck || !somebodyReady || this.#timer) return;
    const wait = Math.max(0, shortestMs - (Date.now() - (this.#frame?.at ?? 0)));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const ack = this.#toAck;
      this.#toAck = undefined;
      ack?.();
    }, wait).unref();
  }

  #trouble(error: unknown): void {
    // A tab or a browser that is gone meanwhile has nothing to show.
    if (!(error instanceof RefusedError))
      this.#log.warn({ err: error, browserId: this.#running.id }, 'live.trouble');
  }
}
