/**
 * Tabs share a session without storing the key anywhere: a new tab asks the others, and a sign-out in one tab signs out
 * all. Only pages of this origin receive the messages.
 *
 *   new tab ── ask ──> the others ── a key ──> new tab
 *   any tab ── leave ──> all
 */
import type { Signed } from './key.ts';

type Message = { kind: 'ask' } | { kind: 'key'; signed: Signed } | { kind: 'leave' };

/** How long a new tab waits before it shows the sign-in page. */
export const answerMs = 150;

export class OtherTabs {
  readonly #channel = new BroadcastChannel('browserd.session');

  /** `signed` is what this tab can share. */
  constructor(signed: Signed | undefined, callbacks: { onKey(signed: Signed): void; onLeave(): void }) {
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'ask' && signed) this.#send({ kind: 'key', signed });
      if (data.kind === 'key' && !signed) callbacks.onKey(data.signed);
      if (data.kind === 'leave' && signed) callbacks.onLeave();
    };
  }

  ask(): void {
    this.#send({ kind: 'ask' });
  }

  leave(): void {
    this.#send({ kind: 'leave' });
  }

  close(): void {
    this.#channel.close();
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }
}
