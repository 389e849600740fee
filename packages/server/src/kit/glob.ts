/**
 * Addresses with stars in them. A star stands for any characters; there is nothing else to it, so that no pattern takes
 * longer than its length times that of the address, whatever a page asks for.
 */
export class Glob {
  readonly #first: string;
  readonly #middle: readonly string[];
  /** Undefined: there is no star, and all of it is in `first`. */
  readonly #last: string | undefined;

  constructor(pattern: string) {
    const [first = '', ...rest] = pattern.split('*');
    this.#first = first;
    this.#last = rest.pop();
    this.#middle = rest.filter((part) => part !== '');
  }

  matches(text: string): boolean {
    if (this.#last === undefined) return text === this.#first;
    if (!text.startsWith(this.#first)) return false;
    let at = this.#first.length;
    for (const part of this.#middle) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - this.#last.length >= at && text.endsWith(this.#last);
  }
}
