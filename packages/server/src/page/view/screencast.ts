/**
 * The picture of one browser for all of its viewers: one screencast of its active tab, or of one certain tab, however many
 * viewers there are, and none without a viewer. Chromium goes on as long as one viewer can take another frame (frame-pacing.ts); a slower viewer
 * is shown fewer frames, always the newest.
 *
 *   Chromium ──frame──> screencast ──> every viewer that has drawn its last ones
 *            <───ack─── one of them can take more, and the shortest time between two is over
 */
import type { Running } from '../../browsers/browsers.ts';
import type { Log } from '../../kit/log.ts';
import { type CastFrame, castFrameOf, readCastFrame } from './cast-frame.ts';
import { FramePacing } from './frame-pacing.ts';
import { RefusedError, Remote, type RemoteEvent } from './remote.ts';
import type { FrameFacts } from './told.ts';

export interface Frame extends FrameFacts {
  jpeg: Buffer;
}

export interface FrameListener {
  /** Draw the newest, and say `drawn` when that is done. */
  show(frame: Frame): void;
}

export interface Subscription {
  drawn(): void;
  end(): void;
}

/** The tab that is shown, and how it is spoken to. */
export interface Shown {
  remote: Remote;
  sessionId: string;
  tabId: string;
  /** Of the tab's target, and of the main frame of its page. */
  targetId: string;
}

/** A part of the view that does something in the tab that is shown. */
export interface ShownListener {
  /** Of any session of the view, but for the frames. */
  hears(event: RemoteEvent): void;
  /** Another tab is shown from now on. */
  shows?(shown: Shown): void;
  /** The tab of this session is not shown any more, and is let go next. */
  leaves(sessionId: string): void;
}

interface Subscriber {
  listener: FrameListener;
  /** Frames it was given and has not drawn. */
  ahead: number;
  seen: Frame | undefined;
}

const shortestMs = 33;
const castAgainMs = 1500;
const mostAhead = 2;
const castOptions = { format: 'jpeg', quality: 70, maxWidth: 1920, maxHeight: 1920 };

export class Screencast {
  readonly #running: Running;
  readonly #log: Log;
  /** The tab that is shown whichever is in front. */
  readonly #pinned: string | undefined;
  readonly #subscribers = new Set<Subscriber>();
  readonly #listeners = new Set<ShownListener>();
  readonly #pacing: FramePacing;
  #remote: Remote | undefined;
  #turn: Promise<void> = Promise.resolve();
  #cast: { tabId: string; sessionId: string } | undefined;
  #frame: Frame | undefined;
  #retry: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(running: Running, log: Log, pinned?: string) {
    this.#running = running;
    this.#log = log;
    this.#pinned = pinned;
    this.#pacing = new FramePacing({
      shortestMs,
      isWanted: () => [...this.#subscribers].some(({ ahead }) => ahead < mostAhead),
      ack: (castId) => this.#tell('Page.screencastFrameAck', { sessionId: castId }),
      restart: () => this.#tell('Page.startScreencast', castOptions),
    });
  }

  /** Does something to the tab that is shown. */
  async send(method: string, params: Record<string, unknown>): Promise<void> {
    const { remote, sessionId } = await this.shown();
    await remote.send(method, params, sessionId);
  }

  /** Back or forward in the history of the tab that is shown; nothing where there is none. */
  async step(by: -1 | 1): Promise<void> {
    const { remote, sessionId } = await this.shown();
    const history = await remote.send('Page.getNavigationHistory', {}, sessionId);
    const { currentIndex, entries } = history as { currentIndex: number; entries: { id: number }[] };
    const entry = entries[currentIndex + by];
    if (entry) await remote.send('Page.navigateToHistoryEntry', { entryId: entry.id }, sessionId);
  }

  async closeTab(tabId: string): Promise<void> {
    const targetId = this.#running.live.tabs.targetOf(tabId);
    if (targetId) await this.#remote?.send('Target.closeTarget', { targetId });
  }

  /** The tab that is shown, once a change of tabs is over. */
  async shown(): Promise<Shown> {
    await this.#turn;
    const targetId = this.#cast && this.#running.live.tabs.targetOf(this.#cast.tabId);
    if (!this.#remote || !this.#cast || !targetId) throw new RefusedError('No tab is shown at the moment.');
    return { remote: this.#remote, ...this.#cast, targetId };
  }

  /** The return value is the off switch. */
  follow(listener: ShownListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async subscribe(listener: FrameListener): Promise<Subscription> {
    const subscriber: Subscriber = { listener, ahead: 0, seen: undefined };
    this.#subscribers.add(subscriber);
    try {
      await this.#inTurn(() => this.#begin());
    } catch (error) {
      this.#unsubscribe(subscriber);
      throw error;
    }
    this.#offer(subscriber);
    return {
      drawn: () => {
        subscriber.ahead = Math.max(0, subscriber.ahead - 1);
        this.#offer(subscriber);
        this.#pacing.goOn();
      },
      end: () => this.#unsubscribe(subscriber),
    };
  }

  #unsubscribe(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    if (this.#subscribers.size === 0) void this.#inTurn(() => this.#end()).catch(() => undefined);
  }

  /** One after the other: a viewer that comes while the last one leaves waits for that. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #begin(): Promise<void> {
    if (this.#remote || this.#subscribers.size === 0) return;
    this.#remote = await Remote.open(this.#running, {
      onEvent: (event) => this.#hear(event),
      takes: (message) => this.#take(message),
      onEnd: () => this.#forget(),
    });
    const look = () => void this.#inTurn(() => this.#follow()).catch((error) => this.#trouble(error));
    this.#unwatch = this.#running.live.watch({ opened: look, closed: look, activated: look });
    await this.#follow();
  }

  async #end(): Promise<void> {
    if (this.#subscribers.size > 0) return;
    const remote = this.#remote;
    this.#forget();
    // Not awaited: it leaves when no dialog is open any more, and the next viewer must not wait for that.
    void remote?.close();
  }

  #forget(): void {
    this.#unwatch?.();
    this.#pacing.stop();
    clearTimeout(this.#retry);
    if (this.#cast) this.#left(this.#cast.sessionId);
    this.#remote = this.#cast = this.#frame = this.#unwatch = undefined;
  }

  async #follow(): Promise<void> {
    const { tabs } = this.#running.live;
    const wanted = this.#pinned ?? tabs.active?.tabId;
    const targetId = wanted && tabs.targetOf(wanted);
    const tabId = targetId && wanted;
    const remote = this.#remote;
    if (!remote || tabId === this.#cast?.tabId) return;
    const before = this.#cast;
    this.#cast = undefined;
    this.#pacing.stop();
    if (before) this.#left(before.sessionId);
    if (before)
      await remote.send('Target.detachFromTarget', { sessionId: before.sessionId }).catch(() => undefined);
    if (!tabId) return;
    const attached = await remote.send('Target.attachToTarget', { targetId, flatten: true });
    const sessionId = String(attached.sessionId);
    this.#cast = { tabId, sessionId };
    this.#start(remote, this.#cast);
    for (const listener of this.#listeners) listener.shows?.({ remote, ...this.#cast, targetId });
  }

  /**
   * Not awaited: a page in a loop or a dialog answers when it can, and no viewer waits for that. A page that is just being
   * replaced may lose the command, so it is sent again until the first frame comes.
   */
  #start(remote: Remote, cast: { tabId: string; sessionId: string }): void {
    const commands: [string, Record<string, unknown>][] = [
      ['Page.enable', {}],
      ['Page.startScreencast', castOptions],
    ];
    // Chromium draws no tab that it takes for hidden; this ends with the session.
    if (this.#pinned !== undefined)
      commands.unshift(['Emulation.setFocusEmulationEnabled', { enabled: true }]);
    for (const [method, params] of commands)
      remote.send(method, params, cast.sessionId).catch((error) => this.#trouble(error));
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#cast === cast && this.#frame?.tabId !== cast.tabId) this.#start(remote, cast);
    }, castAgainMs).unref();
  }

  #hear(event: RemoteEvent): void {
    if (event.method === 'Page.screencastFrame') this.#came(castFrameOf(event));
    else for (const listener of this.#listeners) listener.hears(event);
  }

  #left(sessionId: string): void {
    for (const listener of this.#listeners) listener.leaves(sessionId);
  }

  /** Frames are not parsed as other messages are. */
  #take(message: Buffer): boolean {
    const frame = readCastFrame(message);
    if (frame) this.#came(frame);
    return frame !== undefined;
  }

  #came({ jpeg, width, height, castId, sessionId }: CastFrame): void {
    const cast = this.#cast;
    if (!cast || cast.sessionId !== sessionId) return;
    this.#frame = { tabId: cast.tabId, width, height, at: Date.now(), jpeg };
    for (const subscriber of this.#subscribers) this.#offer(subscriber);
    this.#pacing.came(castId);
  }

  #offer(subscriber: Subscriber): void {
    const frame = this.#frame;
    if (!frame || subscriber.seen === frame || subscriber.ahead >= mostAhead) return;
    subscriber.seen = frame;
    subscriber.ahead++;
    subscriber.listener.show(frame);
  }

  #tell(method: string, params: Record<string, unknown>): void {
    if (!this.#cast) return;
    this.#remote?.send(method, params, this.#cast.sessionId).catch((error) => this.#trouble(error));
  }

  #trouble(error: unknown): void {
    // A tab or a browser that is gone meanwhile has nothing to show.
    if (!(error instanceof RefusedError))
      this.#log.warn({ err: error, browserId: this.#running.id }, 'view.screencast_failed');
  }
}
