/** Counts what comes by the thousand and tells of it once in a while, with the number and the last of them. */
export class Tally<T> {
  readonly #everyMs: number;
  readonly #tell: (last: T, count: number) => void;
  #count = 0;
  #last: T | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number, tell: (last: T, count: number) => void) {
    this.#everyMs = everyMs;
    this.#tell = tell;
  }

  add(one: T): void {
    this.#count++;
    this.#last = one;
    this.#timer ??= setTimeout(() => this.flush(), this.#everyMs).unref();
  }

  /** Tells now of what was counted, if anything was. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const count = this.#count;
    const last = this.#last as T;
    this.#count = 0;
    this.#last = undefined;
    if (count > 0) this.#tell(last, count);
  }
}
