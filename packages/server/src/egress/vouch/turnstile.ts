/** So many at once, the others in the order in which they came: handshakes cost the loop more than bytes do. */
export class Turnstile {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  async enter(): Promise<Disposable> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    return { [Symbol.dispose]: () => this.#leave() };
  }

  #leave(): void {
    const next = this.#line.shift();
    if (next) next();
    else this.#free++;
  }
}
