/**
 * How long a busy project may be made to stand still so that calls of others are answered: for a quarter of a second at a
 * time, and for no more than half of the time in the long run. What it stands is taken from what is left, and each
 * millisecond that it may work gives one back.
 */
const mostMs = 250;
/** With less left it works on: many short stops would cost more than they give. */
const leastMs = 25;

export class StandingTime {
  #leftMs: number;
  #since = performance.now();
  #stands = false;
  readonly #mostMs: number;
  readonly #leastMs: number;

  constructor(limits: { mostMs: number; leastMs: number } = { mostMs, leastMs }) {
    this.#mostMs = limits.mostMs;
    this.#leastMs = limits.leastMs;
    this.#leftMs = limits.mostMs;
  }

  get stands(): boolean {
    return this.#stands;
  }

  /** Begins if there is time enough, and tells how long it may last; 0: not now. */
  begin(): number {
    this.#settle();
    if (this.#leftMs < this.#leastMs) return 0;
    this.#stands = true;
    return this.#leftMs;
  }

  end(): void {
    this.#settle();
    this.#stands = false;
  }

  /** After so many milliseconds it may begin again. */
  get restMs(): number {
    this.#settle();
    return Math.max(1, this.#leastMs - this.#leftMs);
  }

  #settle(): void {
    const now = performance.now();
    const passed = now - this.#since;
    this.#since = now;
    this.#leftMs = this.#stands
      ? Math.max(0, this.#leftMs - passed)
      : Math.min(this.#mostMs, this.#leftMs + passed);
  }
}
