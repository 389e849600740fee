/** What one observation of a document may cost, whatever the page is made of: beyond this it is cut, and says so. */
const mostVisited = 250_000;
const mostNodes = 15_000;
const mostChars = 1_500_000;

export class Budget {
  #visits = mostVisited;
  #nodes = mostNodes;
  #chars = mostChars;
  readonly #deadline: number;
  cut = false;

  constructor(ms: number) {
    this.#deadline = performance.now() + ms;
  }

  /** False: nothing more is to be looked at. The clock is asked now and then only. */
  visit(): boolean {
    if (--this.#visits % 32 === 0 && this.isLate()) this.#visits = 0;
    if (this.#visits <= 0 || this.#nodes <= 0) this.cut = true;
    return !this.cut;
  }

  node(): void {
    this.#nodes--;
  }

  /** As much of the text as there is room for. */
  text(text: string): string {
    const kept = text.slice(0, Math.max(this.#chars, 0));
    if (kept.length < text.length) this.cut = true;
    this.#chars -= kept.length;
    return kept;
  }

  isLate(): boolean {
    return performance.now() > this.#deadline;
  }
}
