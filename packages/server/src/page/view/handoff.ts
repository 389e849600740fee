/**
 * What drives the browser: its scripts, or a person. While a person does, script calls wait; a call that is running is
 * not broken off.
 *
 *   scripts ──request──> requested ──take──> person ──return, or the last of its viewers left──> scripts
 */
import type { HandoffEnd, HandoffSoFar, Running } from '../../browsers/browsers.ts';
import type { Events } from '../../events/events.ts';

export type HandoffState = 'scripts' | 'requested' | 'person';

export interface HandoffView {
  state: HandoffState;
  /** Of the last one; without it there was none that is known of. */
  ended?: HandoffEnd;
  /** What the person was asked to do. */
  message?: string;
  since: number;
}

export interface HandoffParts {
  running: Pick<Running, 'id' | 'projectId' | 'keepHandoff'>;
  events: Pick<Events, 'note'>;
  /** Makes scripts wait; the return value lets them go on. */
  hold(): () => void;
  /** What was known of it before this Chromium. */
  before: HandoffSoFar | undefined;
  /** Closes the browser, which was there for one person alone. */
  close(): void;
}

export class Handoff {
  readonly #parts: HandoffParts;
  readonly #listeners = new Set<() => void>();
  #state: HandoffState = 'scripts';
  #asked = false;
  #ended: HandoffEnd | undefined;
  #message: string | undefined;
  #since = Date.now();
  #thenClose = false;
  #letGo: (() => void) | undefined;

  constructor(parts: HandoffParts) {
    this.#parts = parts;
    const { before } = parts;
    if (!before) return;
    this.#asked = before.asked;
    this.#state = before.asked ? 'requested' : 'scripts';
    this.#ended = before.ended;
    this.#message = before.message;
    this.#since = before.since;
    this.#thenClose = before.thenClose ?? false;
  }

  get view(): HandoffView {
    return { state: this.#state, ended: this.#ended, message: this.#message, since: this.#since };
  }

  get soFar(): HandoffSoFar | undefined {
    if (!this.#asked && !this.#ended) return undefined;
    return {
      asked: this.#asked,
      ended: this.#ended,
      message: this.#message,
      since: this.#since,
      ...(this.#thenClose && { thenClose: true }),
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Asks for a person. The address at which one can take over is the caller's alone: events reach every key of the project.
   * With `thenClose` the browser is closed once a person has handed it back.
   */
  request(message: string | undefined, expiresAt: string, { thenClose = false } = {}): void {
    this.#asked = true;
    this.#message = message;
    this.#thenClose ||= thenClose;
    this.#change(this.#state === 'person' ? 'person' : 'requested', { message, expiresAt });
  }

  take(): void {
    if (this.#state === 'person') return;
    this.#letGo = this.#parts.hold();
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
    if (ended === 'returned' && this.#thenClose) this.#parts.close();
  }

  #change(state: HandoffState, data: Record<string, unknown>): void {
    this.#state = state;
    this.#since = Date.now();
    const { running, events } = this.#parts;
    const { id: browserId, projectId } = running;
    running.keepHandoff(this.soFar);
    events.note({
      type: 'browser.handoff',
      browserId,
      projectId,
      at: this.#since,
      data: { state, ...data },
    });
    for (const listener of this.#listeners) listener();
  }
}
