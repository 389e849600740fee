/** One at a time, in the order of asking. */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}

/** A mutex per name that exists only while a call holds or awaits it. */
export class KeyedMutex {
  readonly #held = new Map<string, { mutex: Mutex; users: number }>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#held.get(name) ?? { mutex: new Mutex(), users: 0 };
    this.#held.set(name, entry);
    entry.users++;
    try {
      return await entry.mutex.run(work);
    } finally {
      if (--entry.users === 0) this.#held.delete(name);
    }
  }
}
