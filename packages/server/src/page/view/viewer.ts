/**
 * One viewer: what it is sent, and what it may do.
 *
 *   sent: frames, as fast as it draws them; the state of the browser, whenever that has changed
 *   does: what its mode allows; what it may not, or what cannot be done, is answered with `refused`
 */
import { ApiError } from '../../errors.ts';
import { inSteps, shareOf } from '../../kit/loop-share.ts';
import { addressOf } from './address-bar.ts';
import type { Driver } from './controls.ts';
import { Hand, isOfHand } from './hand.ts';
import { isLooking, type ViewerMessage } from './messages.ts';
import { NoAnswerError, RefusedError } from './remote.ts';
import { isLong, isTooLongToWatch, onlyWatches, readLong, readUsual, type Unreadable } from './said.ts';
import type { Frame, Subscription } from './screencast.ts';
import type { ToldMessage, ViewState } from './told.ts';
import type { Stage, ViewEnd, ViewedBrowser } from './viewed-browser.ts';

export interface ViewerPort {
  tell(message: ToldMessage): void;
  show(frame: Frame): void;
  /** Its end, once, unless it closed the view itself. */
  onEnd(why: ViewEnd): void;
}

/** What the address of a viewer was made for. */
export interface Allowed {
  mode: 'view' | 'control';
  /** The only tab; undefined: all, and whichever is in front is shown. */
  tabId?: string;
}

/** What a viewer has said and the page has not taken, with what it takes beside its bytes. */
const mostUndoneBytes = 8 * 1024 ** 2;
const besideBytes = 512;

const stateEveryMs = 100;

/** How far the service is with a message. */
export interface Heard {
  /** Nothing more may be said before it is settled; undefined: at once. */
  read?: Promise<unknown>;
  /** Never fails for what is wrong with the message: that is answered to its sender. */
  done: Promise<void>;
}

export class View implements Driver {
  readonly #browser: ViewedBrowser;
  readonly #stage: Stage;
  readonly #mode: 'view' | 'control';
  readonly #port: ViewerPort;
  readonly #hand: Hand;
  #frames: Subscription | undefined;
  #sentState = '';
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #undoneBytes = 0;
  readonly tabId: string | undefined;

  /** Whether it may hold the browser. */
  get controls(): boolean {
    return this.#mode === 'control';
  }

  constructor(browser: ViewedBrowser, { mode, tabId }: Allowed, port: ViewerPort) {
    this.#browser = browser;
    this.#stage = browser.stageOf(tabId);
    this.tabId = tabId;
    this.#mode = mode;
    this.#port = port;
    this.#hand = new Hand(this.#stage.screencast, (text) => port.tell({ type: 'clipboard', text }));
  }

  async begin(): Promise<void> {
    const { running } = this.#browser;
    const { tabId } = this;
    if (tabId !== undefined && !running.live.tabs.targetOf(tabId)) return this.end('tabClosed');
    const bound = tabId !== undefined && { tabId };
    this.#port.tell({ type: 'welcome', browserId: running.id, mode: this.#mode, ...bound });
    this.#tellState();
    this.#frames = await this.#stage.screencast.subscribe({
      show: (frame) => {
        if (!this.#closed) this.#port.show(frame);
      },
    });
    if (this.#closed) this.#frames.end();
  }

  hear(message: Buffer): Heard {
    const bytes = message.length + besideBytes;
    const refusal = this.#refusalUnread(message, bytes);
    if (refusal !== undefined) {
      this.#refuse('unknown', refusal);
      return { done: Promise.resolve() };
    }
    this.#undoneBytes += bytes;
    const isDone = (): void => {
      this.#undoneBytes -= bytes;
    };
    if (!isLong(message)) return { done: this.#take(readUsual(message)).finally(isDone) };
    const read = inSteps(shareOf(this.#browser.running.projectId), readLong(message));
    return { read, done: read.then((said) => this.#take(said)).finally(isDone) };
  }

  #refusalUnread(message: Buffer, bytes: number): string | undefined {
    if (this.#mode !== 'control' && isTooLongToWatch(message)) return onlyWatches;
    return this.#undoneBytes + bytes > mostUndoneBytes ? 'Too much waits for the page already.' : undefined;
  }

  async #take(said: ViewerMessage | Unreadable): Promise<void> {
    const message = this.#allowed(said);
    if (!message || this.#closed) return;
    try {
      if (message.type === 'ready') this.#frames?.drawn();
      else await this.#do(message);
    } catch (error) {
      if (error instanceof NoAnswerError) return;
      if (!(error instanceof RefusedError) && !(error instanceof ApiError)) throw error;
      this.#refuse(message.type, error.message);
    }
  }

  tell(message: ToldMessage): void {
    if (!this.#closed) this.#port.tell(message);
  }

  /** Something has changed: the state is sent soon, and not too often. */
  stateChanged(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tellState();
    }, stateEveryMs).unref();
  }

  end(why: ViewEnd): void {
    if (this.#closed) return;
    this.close();
    this.#port.onEnd(why);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    const frames = this.#frames;
    const left = this.#hand.leave();
    // The line to the page goes with its last viewer, so what this one holds is let go before.
    if (left) void left.finally(() => frames?.end());
    else frames?.end();
    this.#browser.left(this);
  }

  #allowed(said: ViewerMessage | Unreadable): ViewerMessage | undefined {
    const [what, refusal] =
      'refusal' in said ? ['unknown', said.refusal] : [said.type, this.#refusalOf(said)];
    if (refusal !== undefined) this.#refuse(what, refusal);
    else if (!('refusal' in said)) return said;
    return undefined;
  }

  #refusalOf(message: ViewerMessage): string | undefined {
    if (this.#mode !== 'control' && !isLooking(message)) return onlyWatches;
    const { tabId } = this;
    if (tabId === undefined) return undefined;
    const { dialogs } = this.#browser.running.live;
    const isOthers =
      message.type === 'open' ||
      ('tabId' in message && message.tabId !== tabId) ||
      (message.type === 'dialog' &&
        dialogs.waiting().some((dialog) => dialog.id === message.dialogId && dialog.tabId !== tabId));
    return isOthers ? 'This address is for one tab only. Ask for one without `tabId`.' : undefined;
  }

  async #do(message: ViewerMessage): Promise<void> {
    const { running } = this.#browser;
    const { screencast, controls } = this.#stage;
    running.acted();
    if (isOfHand(message)) {
      const entering = controls.drivenBy(this);
      if (entering) await entering;
      return this.#hand.act(message);
    }
    switch (message.type) {
      case 'visit':
        return this.#visit(addressOf(message.url));
      case 'go':
        return message.to === 'back' || message.to === 'forward'
          ? screencast.step(message.to === 'back' ? -1 : 1)
          : screencast.send(message.to === 'reload' ? 'Page.reload' : 'Page.stopLoading', {});
      case 'open':
        await running.live.tabs.open();
        return;
      case 'activate':
        return running.live.tabs.activate(message.tabId);
      case 'close':
        return screencast.closeTab(message.tabId);
      case 'dialog':
        await running.live.dialogs.answer(message.dialogId, {
          action: message.action,
          promptText: message.promptText,
        });
        return;
      case 'pick':
        return controls.answer(message);
      case 'control':
        if (message.action === 'take') this.#browser.handoff.take();
        else this.#browser.handoff.giveBack('returned');
    }
  }

  async #visit(url: string): Promise<void> {
    const { failedPages } = this.#browser;
    const { remote, sessionId, tabId } = await this.#stage.screencast.shown();
    failedPages.leaves(tabId);
    const { errorText } = await remote.send('Page.navigate', { url }, sessionId);
    failedPages.answered(tabId, url, errorText);
  }

  #tellState(): void {
    const state: ViewState = this.#browser.state(this.tabId);
    const text = JSON.stringify(state);
    if (text === this.#sentState) return;
    this.#sentState = text;
    this.#port.tell({ type: 'state', ...state });
  }

  #refuse(what: string, message: string): void {
    this.#port.tell({ type: 'refused', what, message });
  }
}
