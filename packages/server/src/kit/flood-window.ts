/**
 * Admits so many of a kind within a while and counts the rest, for what a page can make by the thousand: dialogs,
 * console lines, refused requests.
 */
export class FloodWindow {
  readonly #most: number;
  readonly #windowMs: number;
  #count = 0;
  #suppressed = 0;
  #ends = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Whether this one is among those admitted. The first one after the end of a window begins the next. */
  admits(): boolean {
    const now = Date.now();
    if (now > this.#ends) {
      this.#count = 0;
      this.#ends = now + this.#windowMs;
    }
    if (++this.#count <= this.#most) return true;
    this.#suppressed++;
    return false;
  }

  /** How many were not admitted since the last time this was asked. */
  takeSuppressed(): number {
    const suppressed = this.#suppressed;
    this.#suppressed = 0;
    return suppressed;
  }
}
