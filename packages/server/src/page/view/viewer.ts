/**
 * One viewer: what it is shown and told, and what it may do.
 *
 *   shown: frames, as fast as it draws them       told: the state of the browser, whenever that has changed
 *   does: what its mode allows; what it may not, or what cannot be done, is answered with `refused`
 */
import { ApiError } from '../../errors.ts';
import type { EndReason } from '../reach/reach.ts';
import { inputOf } from './input.ts';
import { isLooking, type ViewerMessage, viewerMessage } from './messages.ts';
import { NoAnswerError, RefusedError } from './remote.ts';
import type { LiveState, Show } from './show.ts';
import type { Frame, Seat } from './stage.ts';

export interface ViewerPort {
  tell(message: object): void;
  show(frame: Frame): void;
  /** Its end, once, unless it closed the view itself. */
  onEnd(why: EndReason): void;
}

const stateEveryMs = 100;

export class View {
  readonly #show: Show;
  readonly #mode: 'view' | 'control';
  readonly #port: ViewerPort;
  #seat: Seat | undefined;
  #told = '';
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** Whether it may hold the browser. */
  get controls(): boolean {
    return this.#mode === 'control';
  }

  constructor(show: Show, mode: 'view' | 'control', port: ViewerPort) {
    this.#show = show;
    this.#mode = mode;
    this.#port = port;
  }

  async begin(): Promise<void> {
    this.#port.tell({ type: 'welcome', browserId: this.#show.running.id, mode: this.#mode });
    this.#tellState();
    this.#seat = await this.#show.stage.take({ show: (frame) => this.#port.show(frame) });
    if (this.#closed) this.#seat.leave();
  }

  /** Never throws: what is wrong with a message is told to its sender. */
  async hear(text: string): Promise<void> {
    const message = this.#read(text);
    if (!message || this.#closed) return;
    try {
      if (message.type === 'ready') this.#seat?.drawn();
      else await this.#do(message);
    } catch (error) {
      if (error instanceof NoAnswerError) return;
      if (!(error instanceof RefusedError) && !(error instanceof ApiError)) throw error;
      this.#refuse(message.type, error.message);
    }
  }

  /** Something has changed: it is told soon, and not too often. */
  stateChanged(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tellState();
    }, stateEveryMs).unref();
  }

  end(why: EndReason): void {
    if (this.#closed) return;
    this.close();
    this.#port.onEnd(why);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#seat?.leave();
    this.#show.left(this);
  }

  #read(text: string): ViewerMessage | undefined {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      this.#refuse('unknown', 'The message is no JSON.');
      return undefined;
    }
    const read = viewerMessage.safeParse(parsed);
    if (!read.success) {
      const { path = [], message = '' } = read.error.issues[0] ?? {};
      this.#refuse('unknown', `The message cannot be read: ${path.join('.')} ${message}`);
      return undefined;
    }
    if (this.#mode === 'control' || isLooking(read.data)) return read.data;
    this.#refuse(read.data.type, 'This address is for watching only. Ask for one with `mode: control`.');
    return undefined;
  }

  async #do(message: ViewerMessage): Promise<void> {
    const { running, stage } = this.#show;
    running.acted();
    const input = inputOf(message);
    if (input) return stage.send(input.method, input.params);
    switch (message.type) {
      case 'visit':
        return stage.send('Page.navigate', { url: addressOf(message.url) });
      case 'go':
        return message.to === 'back' || message.to === 'forward'
          ? stage.step(message.to === 'back' ? -1 : 1)
          : stage.send(message.to === 'reload' ? 'Page.reload' : 'Page.stopLoading', {});
      case 'open':
        await running.live.tabs.open();
        return;
      case 'activate':
        return running.live.tabs.activate(message.tabId);
      case 'close':
        return stage.closeTab(message.tabId);
      case 'dialog':
        await running.live.dialogs.answer(message.dialogId, {
          action: message.action,
          promptText: message.promptText,
        });
        return;
      case 'control':
        if (message.action === 'take') this.#show.handoff.take();
        else this.#show.handoff.giveBack('returned');
    }
  }

  #tellState(): void {
    const state: LiveState = this.#show.state();
    const text = JSON.stringify(state);
    if (text === this.#told) return;
    this.#told = text;
    this.#port.tell({ type: 'state', ...state });
  }

  #refuse(what: string, message: string): void {
    this.#port.tell({ type: 'refused', what, message });
  }
}

/** As an address bar reads it: without a scheme it is https, and a word alone is no address. */
function addressOf(typed: string): string {
  const text = typed.trim();
  if (/^(https?:\/\/|about:blank$)/i.test(text)) return text;
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text))
    throw new RefusedError('Only http and https addresses can be visited.');
  return `${/^(localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'}://${text}`;
}
