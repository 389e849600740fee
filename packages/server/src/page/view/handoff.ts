/**
 * What drives the browser: its scripts, or a person. While a person does, script calls wait; a call that is running is
 * not broken off.
 *
 *   scripts ──request──> requested ──take──> person ──return, or the last of its viewers left──> scripts
 */
import type { Running } from '../../browsers/browsers.ts';
import type { Events } from '../../events/events.ts';

export type HandoffState = 'scripts' | 'requested' | 'person';

/** How it came back to scripts: from the person, from the owner that took it, or because the person's line broke. */
export type HandoffEnd = 'returned' | 'withdrawn' | 'left';

export interface HandoffView {
  state: HandoffState;
  /** Of the last one; without it there was none that is known of. */
  ended?: HandoffEnd;
  /** What the person was asked to do. */
  message?: string;
  since: number;
}

/** What outlasts the Chromium of a browser: that a person was asked and has not handed back, or that one has. */
export type HandoffSoFar = Omit<HandoffView, 'state'> & { asked: boolean };

export class Handoff {
  readonly #running: Running;
  readonly #events: Pick<Events, 'note'>;
  readonly #hold: () => () => void;
  readonly #listeners = new Set<() => void>();
  #state: HandoffState = 'scripts';
  #asked = false;
  #ended: HandoffEnd | undefined;
  #message: string | undefined;
  #since = Date.now();
  #letGo: (() => void) | undefined;

  constructor(running: Running, events: Pick<Events, 'note'>, hold: () => () => void, before?: HandoffSoFar) {
    this.#running = running;
    this.#events = events;
    this.#hold = hold;
    if (!before) return;
    this.#asked = before.asked;
    this.#state = before.asked ? 'requested' : 'scripts';
    this.#ended = before.ended;
    this.#message = before.message;
    this.#since = before.since;
  }

  get view(): HandoffView {
    return { state: this.#state, ended: this.#ended, message: this.#message, since: this.#since };
  }

  get soFar(): HandoffSoFar | undefined {
    if (!this.#asked && !this.#ended) return undefined;
    return { asked: this.#asked, ended: this.#ended, message: this.#message, since: this.#since };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks for a person. The address at which one can take over is the caller's alone: events reach every key of the project. */
  request(message: string | undefined, expiresAt: string): void {
    this.#asked = true;
    this.#message = message;
    this.#change(this.#state === 'person' ? 'person' : 'requested', { message, expiresAt });
  }

  take(): void {
    if (this.#state === 'person') return;
    this.#letGo = this.#hold();
    this.#change('person', {});
  }

  giveBack(ended: HandoffEnd): void {
    if (this.#state === 'scripts') return;
    this.#letGo?.();
    this.#letGo = undefined;
    this.#message = undefined;
    this.#asked = false;
    this.#ended = ended;
    this.#change('scripts', { ended });
  }

  #change(state: HandoffState, data: Record<string, unknown>): void {
    this.#state = state;
    this.#since = Date.now();
    const { id: browserId, projectId } = this.#running;
    this.#events.note({
      type: 'browser.handoff',
      browserId,
      projectId,
      at: this.#since,
      data: { state, ...data },
    });
    for (const listener of this.#listeners) listener();
  }
}
