/** What many callers ask at once is found out once, for all of them; those that can do with what was found a moment ago cost nothing. */
export class SharedLook<T> {
  readonly #find: () => Promise<T>;
  readonly #keptMs: number;
  #found: { value: T; at: number } | undefined;
  #looking: Promise<T> | undefined;

  constructor(find: () => Promise<T>, keptMs: number) {
    this.#find = find;
    this.#keptMs = keptMs;
  }

  /** Found out now, once for all callers that ask at the same time. */
  now(): Promise<T> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** As it was a moment ago at most. */
  async lately(): Promise<T> {
    const found = this.#found;
    if (found && performance.now() - found.at < this.#keptMs) return found.value;
    return this.now();
  }

  async #look(): Promise<T> {
    const value = await this.#find();
    this.#found = { value, at: performance.now() };
    return value;
  }
}
