import type { Running } from '../../browsers/browsers.ts';
import type { Events } from '../../events/events.ts';

/**
 * Who drives the browser: its scripts, or a person. While a person does, script calls wait; a call that is running is
 * not broken off.
 *
 *   scripts ──request──> requested ──take──> person ──return, or the last of its viewers left──> scripts
 */
export type HandoffState = 'scripts' | 'requested' | 'person';

export interface HandoffView {
  state: HandoffState;
  /** What the person was asked to do. */
  message?: string;
  since: number;
}

export class Handoff {
  readonly #running: Running;
  readonly #events: Pick<Events, 'note'>;
  readonly #hold: () => () => void;
  readonly #listeners = new Set<() => void>();
  #state: HandoffState = 'scripts';
  #message: string | undefined;
  #since = Date.now();
  #letGo: (() => void) | undefined;

  constructor(running: Running, events: Pick<Events, 'note'>, hold: () => () => void) {
    this.#running = running;
    this.#events = events;
    this.#hold = hold;
  }

  get view(): HandoffView {
    return { state: this.#state, message: this.#message, since: this.#since };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks for a person; the address is where one can take over. */
  request(message: string | undefined, address: Record<string, unknown>): void {
    this.#message = message;
    this.#change(this.#state === 'person' ? 'person' : 'requested', { message, ...address });
  }

  take(): void {
    if (this.#state === 'person') return;
    this.#letGo = this.#hold();
    this.#change('person', {});
  }

  giveBack(): void {
    if (this.#state === 'scripts') return;
    this.#letGo?.();
    this.#letGo = undefined;
    this.#message = undefined;
    this.#change('scripts', {});
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
