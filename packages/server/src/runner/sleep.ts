/**
 * An idle runner is stopped (SIGSTOP), but Playwright must still answer what the page asks of it (a new tab waits for
 * it, a request may), so each message wakes it for a moment.
 */
const awakeMs = 200;

export class Sleep {
  readonly #freeze: (asleep: boolean) => void;
  #wanted = false;
  #asleep = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(freeze: (asleep: boolean) => void) {
    this.#freeze = freeze;
  }

  get isAsleep(): boolean {
    return this.#asleep;
  }

  begin(): void {
    this.#wanted = true;
    this.#set(true);
  }

  wake(): void {
    this.#wanted = false;
    clearTimeout(this.#timer);
    this.#set(false);
  }

  /** A message comes in that may need an answer. */
  traffic(): void {
    if (!this.#wanted) return;
    this.#set(false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#set(true), awakeMs).unref();
  }

  stop(): void {
    this.#wanted = false;
    clearTimeout(this.#timer);
  }

  #set(asleep: boolean): void {
    if (this.#asleep === asleep) return;
    this.#asleep = asleep;
    this.#freeze(asleep);
  }
}
