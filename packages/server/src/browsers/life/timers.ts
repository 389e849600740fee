/** The maximum age of browsers: one timer each, whatever their status. */
import { callAt } from '../../kit/clock.ts';

export class Expiries {
  readonly #off = new Map<string, () => void>();
  readonly #expire: (browserId: string) => void;

  constructor(expire: (browserId: string) => void) {
    this.#expire = expire;
  }

  set(browserId: string, at: number): void {
    this.clear(browserId);
    this.#off.set(
      browserId,
      callAt(at, () => {
        this.#off.delete(browserId);
        this.#expire(browserId);
      }),
    );
  }

  clear(browserId: string): void {
    this.#off.get(browserId)?.();
    this.#off.delete(browserId);
  }

  clearAll(): void {
    for (const off of this.#off.values()) off();
    this.#off.clear();
  }
}
