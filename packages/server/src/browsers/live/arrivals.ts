/** Chromium answers a navigation a little before its page is there: a caller waits for that here, for a moment. */
const arrivalMs = 2000;

export class Arrivals {
  readonly #awaited = new Map<string, () => void>();

  came(loaderId: string): void {
    this.#awaited.get(loaderId)?.();
  }

  async of(loaderId: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#awaited.set(loaderId, resolve);
      setTimeout(resolve, arrivalMs).unref();
    });
    this.#awaited.delete(loaderId);
  }
}
