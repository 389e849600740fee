/**
 * The hand of one viewer. What it does is done in the order in which it came, without waiting for the page's answers;
 * only what is copied and pasted takes several steps, and holds up what comes after it until it is done.
 */
import { copyFrom, pasteInto } from './clipboard.ts';
import { Held } from './held.ts';
import type { InputCommand, InputMessage } from './input.ts';
import type { ViewerMessage } from './messages.ts';
import type { Remote, RemoteEvent } from './remote.ts';
import type { Screencast } from './screencast.ts';

type HandMessage = InputMessage | Extract<ViewerMessage, { type: 'release' | 'copy' | 'paste' }>;

const ofHand = ['mouse', 'key', 'text', 'compose', 'touch', 'release', 'copy', 'paste'];
/** A page that has answered to the release begins no drag later than this. */
const settleMs = 1000;

export const isOfHand = (message: ViewerMessage): message is HandMessage => ofHand.includes(message.type);

export class Hand {
  readonly #screencast: Screencast;
  readonly #held = new Held();
  readonly #onCopied: (text: string) => void;
  readonly #unfollow: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  /** Said, and not begun. */
  #waiting = 0;
  /** The page in which something is held. */
  #in: { remote: Remote; sessionId: string } | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(screencast: Screencast, onCopied: (text: string) => void) {
    this.#screencast = screencast;
    this.#onCopied = onCopied;
    this.#unfollow = screencast.follow({
      hears: (event) => this.#hear(event),
      leaves: (sessionId) => {
        if (sessionId === this.#in?.sessionId) void this.#send(this.#held.letGo()).catch(() => undefined);
      },
    });
  }

  /** Resolves when the page has answered, which it does late or never while it is busy. */
  async act(message: HandMessage): Promise<void> {
    this.#waiting++;
    const begun = this.#turn
      .then(() => this.#begin(message))
      .finally(() => {
        this.#waiting--;
      });
    this.#turn = begun.catch(() => undefined);
    await (await begun).answered;
    if (this.#held.isToSettle) this.#settleSoon();
  }

  /** The viewer leaves. Undefined: it held nothing. */
  leave(): Promise<unknown> | undefined {
    this.#unfollow();
    clearTimeout(this.#settling);
    if (this.#held.isEmpty && this.#waiting === 0) return undefined;
    return this.act({ type: 'release' })
      .then(() => this.#send(this.#held.settle()))
      .catch(() => undefined);
  }

  async #begin(message: HandMessage): Promise<{ answered: Promise<unknown> }> {
    if (message.type === 'copy') {
      this.#onCopied(await copyFrom(await this.#screencast.shown(), message.cut ? 'cut' : 'copy'));
      return { answered: Promise.resolve() };
    }
    if (message.type === 'paste') {
      await pasteInto(await this.#screencast.shown(), message.text);
      return { answered: Promise.resolve() };
    }
    const { remote, sessionId } = await this.#screencast.shown();
    // Another tab is shown meanwhile: what was held in the last one is not held in this one.
    if (this.#in?.sessionId !== sessionId) this.#held.forget();
    this.#in = { remote, sessionId };
    const commands = message.type === 'release' ? this.#held.letGo() : this.#held.commandsFor(message);
    return { answered: this.#send(commands) };
  }

  async #send(commands: InputCommand[]): Promise<void> {
    const at = this.#in;
    if (at)
      await Promise.all(commands.map(({ method, params }) => at.remote.send(method, params, at.sessionId)));
  }

  #hear({ method, params, sessionId }: RemoteEvent): void {
    if (method !== 'Input.dragIntercepted' || sessionId !== this.#in?.sessionId) return;
    const data = params.data as Parameters<Held['dragBegan']>[0];
    void this.#send(this.#held.dragBegan(data)).catch(() => undefined);
  }

  #settleSoon(): void {
    clearTimeout(this.#settling);
    const settle = (): void => void this.#send(this.#held.settle()).catch(() => undefined);
    this.#settling = setTimeout(settle, settleMs).unref();
  }
}
