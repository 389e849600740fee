/**
 * The hand of one viewer. What it does is done in the order in which it came, without waiting for the page's answers;
 * only what is copied and pasted takes several steps, and holds up what comes after it until it is done.
 */
import { copyFrom, pasteInto } from './clipboard.ts';
import { Held } from './held.ts';
import type { InputMessage } from './input.ts';
import type { ViewerMessage } from './messages.ts';
import type { Screencast } from './screencast.ts';

type HandMessage = InputMessage | Extract<ViewerMessage, { type: 'release' | 'copy' | 'paste' }>;

const ofHand = ['mouse', 'key', 'text', 'compose', 'touch', 'release', 'copy', 'paste'];

export const isOfHand = (message: ViewerMessage): message is HandMessage => ofHand.includes(message.type);

export class Hand {
  readonly #screencast: Screencast;
  readonly #held = new Held();
  readonly #onCopied: (text: string) => void;
  #turn: Promise<unknown> = Promise.resolve();
  /** Said, and not begun. */
  #waiting = 0;
  /** The session of the page in which something is held. */
  #heldIn: string | undefined;

  constructor(screencast: Screencast, onCopied: (text: string) => void) {
    this.#screencast = screencast;
    this.#onCopied = onCopied;
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
  }

  /** The viewer leaves. Undefined: it held nothing. */
  letGo(): Promise<unknown> | undefined {
    if (this.#held.isEmpty && this.#waiting === 0) return undefined;
    return this.act({ type: 'release' }).catch(() => undefined);
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
    if (this.#heldIn !== sessionId) this.#held.forget();
    this.#heldIn = sessionId;
    const commands = message.type === 'release' ? this.#held.letGo() : this.#held.commandsFor(message);
    const sent = commands.map(({ method, params }) => remote.send(method, params, sessionId));
    return { answered: Promise.all(sent) };
  }
}
