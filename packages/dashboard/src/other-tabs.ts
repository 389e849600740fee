/**
 * Tabs of one person share a session without writing the key anywhere: a new tab asks the others, and whoever signs out
 * signs out of all. Only pages of this very service can hear it.
 *
 *   new tab ── ask ──> the others ── a key ──> new tab
 *   any tab ── leave ──> all
 */
import type { Signed } from './session.tsx';

type Message = { kind: 'ask' } | { kind: 'key'; signed: Signed } | { kind: 'leave' };

/** How long a new tab waits before it shows the sign-in page. */
export const answerMs = 150;

export class OtherTabs {
  readonly #channel = new BroadcastChannel('browserd.session');

  /** `signed` is what this tab has to give. */
  constructor(signed: Signed | undefined, heard: { onKey(signed: Signed): void; onLeave(): void }) {
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'ask' && signed) this.#send({ kind: 'key', signed });
      if (data.kind === 'key' && !signed) heard.onKey(data.signed);
      if (data.kind === 'leave' && signed) heard.onLeave();
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
